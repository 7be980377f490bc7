// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the pictures of a micro-benchmark; see micro_plots.hpp.
#include <cli/report/page/micro_plots.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <cli/report/comparison.hpp>
#include <cli/report/drawing/line_plot.hpp>
#include <cli/report/drawing/svg.hpp>
#include <cli/report/page/plots.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

void draw_box(svg_picture& picture, const plot_box& box, const axis& across, double y, double height) {
    const double middle = y + height / 2;
    const auto x = [&](double value) { return across.position(value); };
    picture.line(x(box.values.least), middle, x(box.values.most), middle, "class=\"range\"");
    for (const double end : {box.values.least, box.values.most})
        picture.line(x(end), middle - 4, x(end), middle + 4, "class=\"range\"");
    // If the quartiles are equal, the box must still be visible.
    picture.rectangle(x(box.values.lower), y + 4, std::max(x(box.values.upper) - x(box.values.lower), 1.5), height - 8,
                      fmt::format("rx=\"2\" class=\"fill-{}\"", box.colour), box.hint);
    picture.line(x(box.values.middle), y + 4, x(box.values.middle), y + height - 4, "class=\"median\"");
}

}  // namespace

std::string box_plot(const std::vector<plot_box>& boxes, const std::string& title, const std::string& across_title) {
    constexpr double row_height = 26;
    constexpr double right = 84;
    constexpr double top = 6;
    if (boxes.empty())
        return {};
    double greatest = 0;
    for (const plot_box& each : boxes)
        greatest = std::max(greatest, each.values.most);
    const double left = label_room(boxes);
    const double bottom = top + row_height * static_cast<double>(boxes.size());
    svg_picture picture(plot_width, bottom + 42, title);
    const axis across = axis::linear(greatest, left, plot_width - right);
    std::vector<std::pair<double, std::string>> ticks;
    for (const double tick : across.ticks()) {
        picture.line(across.position(tick), top, across.position(tick), bottom, "class=\"grid\"");
        ticks.emplace_back(across.position(tick), fmt::format("{:.10g}", tick));
    }
    picture.tick_texts(ticks, bottom + 17);
    picture.text((left + plot_width - right) / 2, bottom + 34, anchor::middle, across_title, "class=\"tick\"");
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double y = top + row_height * static_cast<double>(i);
        picture.text(left - 8, y + row_height / 2 + 4, anchor::end, fitted_label(boxes[i].label, left),
                     boxes[i].colour == "teff" ? "class=\"strong\"" : "");
        draw_box(picture, boxes[i], across, y, row_height);
        picture.text(across.position(boxes[i].values.most) + 8, y + row_height / 2 + 4, anchor::start,
                     number_text(boxes[i].values.middle), "class=\"value\"");
    }
    return picture.markup();
}

namespace {

using row_list = std::vector<const measurement*>;

std::vector<unsigned> thread_counts_of(const row_list& rows) {
    std::vector<unsigned> all;
    for (const measurement* row : rows)
        if (std::find(all.begin(), all.end(), row->what.threads) == all.end())
            all.push_back(row->what.threads);
    return all;
}

std::vector<std::string> variants_of(const row_list& rows) {
    std::vector<std::string> variants;
    for (const measurement* row : rows)
        if (std::find(variants.begin(), variants.end(), row->what.variant) == variants.end())
            variants.push_back(row->what.variant);
    return variants;
}

// The rows that a picture shows.
row_list rows_for(const row_list& rows, const figure& what) {
    const unsigned threads = most_threads(rows);
    row_list chosen;
    for (const measurement* row : rows) {
        const bool has_threads =
            what.across == "threads" || row->what.threads == threads || row->what.runtime == "serial";
        const bool has_value = what.where.empty() || given_value(*row, what.where) == what.equals;
        if (has_threads && has_value)
            chosen.push_back(row);
    }
    return chosen;
}

// "teff demand", "pthread mutex". The usual variants are not named; neither is the variant if a picture has only one.
std::string label_of(const configuration& what, bool by_variant) {
    std::string text = what.runtime;
    if (what.scheduler)
        text += " " + scheduling_text(what);
    if (!by_variant && what.variant != "nowait" && what.variant != "loop" && what.variant != "tasks")
        text += " " + what.variant;
    return text;
}

struct shown_row {
    const measurement* row;
    std::string label;
    std::optional<double> place;
};

// For each label and place, the row of the faster compiler.
std::vector<shown_row> best_rows(const row_list& rows, const figure& what) {
    std::vector<shown_row> best;
    for (const measurement* row : rows) {
        const shown_row offered{row, label_of(row->what, what.by_variant), given_value(*row, what.across)};
        const auto same = std::find_if(best.begin(), best.end(), [&](const shown_row& other) {
            return other.label == offered.label && other.place == offered.place;
        });
        if (same == best.end())
            best.push_back(offered);
        else if (row->median_seconds() < same->row->median_seconds())
            *same = offered;
    }
    return best;
}

std::string dashes_of(const std::string& variant, const std::vector<std::string>& variants) {
    constexpr const char* patterns[] = {"", "7 3", "2 3", "9 3 2 3"};
    const auto place = std::find(variants.begin(), variants.end(), variant) - variants.begin();
    return patterns[static_cast<std::size_t>(place) % std::size(patterns)];
}

// Waiting is the usual variant where all runtimes wait.
bool is_usual(const std::string& variant, const std::vector<std::string>& variants) {
    const bool all_wait = std::find(variants.begin(), variants.end(), "nowait") == variants.end();
    return variant == "nowait" || variant == "loop" || variant == "tasks" || (variant == "wait" && all_wait);
}

std::string lines(const row_list& rows, const figure& what) {
    const std::vector<std::string> variants = variants_of(rows);
    std::vector<plot_line> all;
    for (const shown_row& each : best_rows(rows, what)) {
        const auto value = found_median(*each.row, what.measured);
        if (!value)
            continue;
        const configuration& configured = each.row->what;
        auto line = std::find_if(all.begin(), all.end(), [&](const plot_line& other) {
            return other.label == each.label && other.level.has_value() == !each.place.has_value();
        });
        if (line == all.end())
            // The line of the usual variant is solid, whatever other variants the picture has.
            line = all.insert(all.end(), {each.label, colour_class(configured),
                                          what.by_variant || is_usual(configured.variant, variants)
                                              ? ""
                                              : dashes_of(configured.variant, variants)});
        const line_point point{each.place.value_or(0), *value,
                               fmt::format("{}: {} {}", configured.text(), number_text(*value), what.measured_title)};
        if (each.place)
            line->points.push_back(point);
        else
            line->level = point;
    }
    return line_plot(std::move(all), {.title = what.title,
                                      .across_title = what.across_title,
                                      .upward_title = what.measured_title,
                                      .least = what.least});
}

std::string boxes(const row_list& rows, const figure& what) {
    std::vector<plot_box> all;
    for (const shown_row& each : best_rows(rows, what)) {
        const std::vector<double> values = found_values(*each.row, what.measured);
        if (values.empty())
            continue;
        const five_number_summary summary = quartiles(values);
        all.push_back({each.label, colour_class(each.row->what),
                       fmt::format("{}: median {}, quartiles {} and {}, {} to {}", each.row->what.text(),
                                   number_text(summary.middle), number_text(summary.lower),
                                   number_text(summary.upper), number_text(summary.least), number_text(summary.most)),
                       summary});
    }
    return box_plot(all, what.title, what.measured_title);
}

}  // namespace

std::vector<titled_picture> micro_plots(const std::vector<const measurement*>& rows, const presentation& shown) {
    std::vector<titled_picture> pictures;
    const auto add = [&](const row_list& chosen, const figure& what, const std::string& title) {
        std::string markup = what.has_boxes ? boxes(chosen, what) : lines(chosen, what);
        if (!markup.empty())
            pictures.push_back({title, std::move(markup)});
    };
    for (const figure& what : shown.figures) {
        if (what.has_dots) {
            for (const unsigned threads : thread_counts_of(rows))
                if (std::string markup = measure_overview(rows, what, threads); !markup.empty())
                    pictures.push_back({fmt::format("{}, {} thread{}", what.title, threads, threads == 1 ? "" : "s"),
                                        std::move(markup)});
            continue;
        }
        const row_list chosen = rows_for(rows, what);
        if (!what.by_variant) {
            add(chosen, what, what.title);
            continue;
        }
        for (const std::string& variant : variants_of(chosen)) {
            row_list of_variant;
            std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(of_variant),
                         [&](const measurement* row) { return row->what.variant == variant; });
            add(of_variant, what, fmt::format("{}: {}", what.title, variant));
        }
    }
    return pictures;
}

}  // namespace teff::cli
