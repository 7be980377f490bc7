// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls by which an object with code for devices announces it. There is no device, and the code stays where it is.

extern "C" {

void GOMP_offload_register(const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_register_ver(unsigned /*version*/, const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_unregister(const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_unregister_ver(unsigned /*version*/, const void* /*table*/, int /*kind*/, const void* /*code*/) {}
}
