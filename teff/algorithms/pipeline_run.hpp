// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of a pipeline, and the values between them. Only these depend on the types of a program; a run is compiled
// once, in the library (pipeline_run.cpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff::pipelines {

class flow_control {
public:
    void stop() noexcept { is_stopped_ = true; }
    bool is_stopped() const noexcept { return is_stopped_; }

private:
    bool is_stopped_ = false;
};

// A value between two stages.
struct box {
    virtual ~box() = default;
};
template <class T>
struct box_of final : box {
    explicit box_of(T&& given) : value(std::move(given)) {}
    T value;
};

class stage {
public:
    stage(bool is_serial, bool is_ordered) noexcept : is_serial_(is_serial), is_ordered_(is_ordered) {}
    stage(const stage&) = delete;
    stage& operator=(const stage&) = delete;
    virtual ~stage() = default;

    bool is_serial() const noexcept { return is_serial_; }
    bool is_ordered() const noexcept { return is_ordered_; }

    // Replaces the value by the result of the stage. Only the first stage uses `flow`.
    virtual void apply(std::unique_ptr<box>& value, flow_control& flow) = 0;

private:
    const bool is_serial_, is_ordered_;
};

// Whether a stage can have these types; see stage_of.
template <class In, class Out, class F>
inline constexpr bool fits = std::is_invocable_r_v<Out, F&, In>;
template <class Out, class F>
inline constexpr bool fits<void, Out, F> = std::is_invocable_r_v<Out, F&, flow_control&>;

using chain = std::vector<std::shared_ptr<stage>>;

// In, Out: void for the first and the last stage. F: a reference type if the function stays the caller's. The function
// is called as by std::invoke() with an rvalue of type In, or with a flow_control&; if Out is void, its result is
// dropped.
template <class In, class Out, class F>
class stage_of final : public stage {
public:
    template <class Given>
    stage_of(Given&& f, bool is_serial, bool is_ordered)
        : stage(is_serial, is_ordered), function_(std::forward<Given>(f)) {}

    void apply(std::unique_ptr<box>& value, flow_control& flow) override {
        if constexpr (std::is_void_v<Out>) {
            call(value, flow);
            value.reset();
        } else {
            value = std::make_unique<box_of<Out>>(call(value, flow));
        }
    }

private:
    Out call(std::unique_ptr<box>& value, flow_control& flow) {
        if constexpr (std::is_void_v<In>)
            return invoke(flow);
        else
            return invoke(std::move(static_cast<box_of<In>&>(*value).value));
    }
    template <class Argument>
    Out invoke(Argument&& argument) {
        if constexpr (std::is_void_v<Out>)
            static_cast<void>(std::invoke(function_, std::forward<Argument>(argument)));
        else
            return std::invoke(function_, std::forward<Argument>(argument));
    }

    F function_;
};

// Runs the stages until the first one has stopped and all values have passed through. Throws what parallel_pipeline()
// throws.
void run(std::size_t max_tokens, const chain& stages);

}  // namespace teff::pipelines
