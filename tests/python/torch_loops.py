# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's OpenMP loops: element by element, sums along a dimension; before and after a data loader whose processes
are made by fork() and use OpenMP, too. The results are those of one thread."""

import torch

from observed import THREADS, Work, check, check_runtime

values = torch.randn(1_000_000, generator=torch.Generator().manual_seed(0))


def elements():
    for _ in range(80):
        result = torch.sin(values) + torch.exp(-values.abs())
    return result


def sums():
    return torch.stack([values.view(1000, 1000).norm(p=3, dim=1) for _ in range(100)])


def observed(function, threads):
    with Work(f"{function.__name__}, {threads} threads") as work:
        result = function()
    work.check_threads(threads)
    return result


class Items(torch.utils.data.Dataset):
    """Each item is made with OpenMP, in a child of fork(). A data loader gives each child one thread, unless it asks
    for more."""

    def __len__(self):
        return 8

    def __getitem__(self, index):
        torch.set_num_threads(2)
        check_runtime()
        return (torch.full((300_000,), float(index)) ** 2).sum()


def main():
    check(torch.get_num_threads() == THREADS, f"PyTorch has {torch.get_num_threads()} threads")
    check("ATen parallel backend: OpenMP" in torch.__config__.parallel_info(), torch.__config__.parallel_info())
    found = [observed(function, THREADS) for function in (elements, sums)]

    loaded = torch.utils.data.DataLoader(Items(), batch_size=2, num_workers=2)
    all_sums = torch.cat(list(loaded)).tolist()
    check(all_sums == [300_000.0 * index**2 for index in range(8)], f"the data loader's sums are {all_sums}")
    found += [observed(function, THREADS) for function in (elements, sums)]

    # Last, since threads that PyTorch makes for other libraries when the number is set again spin for a while.
    torch.set_num_threads(1)
    expected = [observed(function, 1) for function in (elements, sums)] * 2
    for mine, wanted in zip(found, expected, strict=True):
        check(torch.allclose(mine, wanted, rtol=1e-4, atol=1e-5), f"one thread has another result: {mine}, {wanted}")
    check_runtime()
    print("as expected")


if __name__ == "__main__":
    main()
