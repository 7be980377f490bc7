// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the description of a presentation, and finds values of rows; see presentation.hpp.
#include <cli/report/presentation.hpp>

#include <cli/report/results.hpp>

namespace teff::cli {

presentation read_presentation(const nlohmann::json& description) {
    presentation shown;
    shown.headline = description.at("headline").get<std::string>();
    shown.headline_title = description.at("headline_title").get<std::string>();
    for (const auto& each : description.at("figures")) {
        figure& made = shown.figures.emplace_back();
        made.has_boxes = each.at("shape").get<std::string>() == "boxes";
        made.has_dots = each.at("shape").get<std::string>() == "dots";
        made.title = each.at("title").get<std::string>();
        made.measured = each.at("measured").get<std::string>();
        made.measured_title = each.at("measured_title").get<std::string>();
        made.across = each.value("across", "");
        made.across_title = each.value("across_title", "");
        made.where = each.value("where", "");
        made.equals = each.value("equals", 0.0);
        made.least = each.value("least", 0.0);
        made.by_variant = each.value("by_variant", false);
    }
    return shown;
}

std::optional<double> given_value(const measurement& row, const std::string& name) {
    if (name == "threads")
        return row.what.threads;
    if (name == "cutoff")
        return row.what.cutoff;
    if (!row.given.is_object() || !row.given.contains(name) || !row.given[name].is_number())
        return std::nullopt;
    return row.given[name].get<double>();
}

std::vector<double> found_values(const measurement& row, const std::string& name) {
    if (name == "seconds")
        return seconds_of(row.runs);
    std::vector<double> values;
    for (const nlohmann::json& found : row.found) {
        if (!found.is_object() || !found.contains(name))
            continue;
        const nlohmann::json& value = found[name];
        if (value.is_number())
            values.push_back(value.get<double>());
        else if (value.is_array())
            for (const nlohmann::json& each : value)
                if (each.is_number())
                    values.push_back(each.get<double>());
    }
    return values;
}

std::optional<double> found_median(const measurement& row, const std::string& name) {
    std::vector<double> values = found_values(row, name);
    if (values.empty())
        return std::nullopt;
    return median(std::move(values));
}

}  // namespace teff::cli
