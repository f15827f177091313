#include "dashpot/render/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "dashpot/core/error.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/render/markup.hpp"
#include "dashpot/render/report_style.hpp"
#include "dashpot/render/svg_plot.hpp"

namespace dashpot::render {
namespace {

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

bool looks_like_a_number(const std::string& cell) {
  static const std::string minus = "\u2212", dash = "\u2014", infinity = "\u221e", plus_minus = "\u00b1", below = "<";
  if (cell.empty()) return true;
  const auto begins = [&](const std::string& word) { return cell.compare(0, word.size(), word) == 0; };
  return (cell[0] >= '0' && cell[0] <= '9') || cell[0] == '-' || cell[0] == '+' || begins(minus) || begins(dash) ||
         begins(infinity) || begins(plus_minus) || begins(below);
}

std::vector<bool> number_columns(const Table& table) {
  std::vector<bool> result(table.columns.size(), !table.rows.empty());
  for (std::size_t c = 0; c < result.size(); ++c)
    for (const auto& row : table.rows) result[c] = result[c] && looks_like_a_number(row[c]);
  return result;
}

/// Turns blocks into HTML; counts figures so that their ids differ.
class Writer {
 public:
  std::string operator()(const Paragraph& paragraph) {
    return fmt::format("<p>{}</p>\n", escape_markup(paragraph.text));
  }

  std::string operator()(const Verbatim& verbatim) {
    return fmt::format("<pre>{}</pre>\n", escape_markup(verbatim.text));
  }

  std::string operator()(const Figure& figure) {
    SvgOptions options;
    options.has_title = false;
    options.id = fmt::format("figure{}", ++num_figures_);
    std::string html = "<figure>\n" + to_svg(figure, options);
    if (!figure.description.empty())
      html += fmt::format("<figcaption>{}</figcaption>\n", escape_markup(figure.description));
    return html + "</figure>\n";
  }

  std::string operator()(const Picture& picture) {
    return fmt::format("<figure><img alt=\"{0}\" src=\"data:{1};base64,{2}\"><figcaption>{0}</figcaption></figure>\n",
                       escape_markup(picture.description), escape_markup(picture.mime), base64(picture.bytes));
  }

  std::string operator()(const Table& table) {
    for (const auto& row : table.rows)
      if (row.size() != table.columns.size())
        throw Error(Problem{fmt::format("table '{}'", table.caption), fmt::format("a row of {} cells", row.size()),
                            fmt::format("{} cells", table.columns.size()), ""});
    const std::vector<bool> is_number = number_columns(table);
    std::string html = "<div class=\"scroll\"><table>\n";
    if (!table.caption.empty()) html += fmt::format("<caption>{}</caption>\n", escape_markup(table.caption));
    html += "<thead><tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      html += cell("th scope=\"col\"", "th", is_number[c], table.columns[c]);
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      html += "<tr>";
      for (std::size_t c = 0; c < row.size(); ++c) html += cell("td", "td", is_number[c], row[c]);
      html += "</tr>\n";
    }
    html += "</tbody></table>";
    if (!table.note.empty()) html += fmt::format("<p class=\"note\">{}</p>", escape_markup(table.note));
    return html + "</div>\n";
  }

 private:
  static std::string cell(const char* open, const char* close, bool is_number, const std::string& text) {
    return fmt::format("<{}{}>{}</{}>", open, is_number ? " class=\"number\"" : "", escape_markup(text), close);
  }
  int num_figures_ = 0;
};

std::string write_key_figures(const std::vector<KeyFigure>& figures) {
  if (figures.empty()) return {};
  std::string html = "<dl class=\"figures\">\n";
  for (const KeyFigure& f : figures) {
    html += fmt::format("<div><dt>{}</dt><dd><span class=\"value\">{}", escape_markup(f.label), escape_markup(f.value));
    if (!f.unit.empty()) html += fmt::format("<span class=\"unit\">{}</span>", escape_markup(f.unit));
    html += "</span></dd>";
    if (!f.note.empty()) html += fmt::format("<dd class=\"note\">{}</dd>", escape_markup(f.note));
    html += "</div>\n";
  }
  return html + "</dl>\n";
}

std::string write_warnings(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  std::string html = "<aside class=\"warnings\" role=\"note\"><h2>Read this first</h2><ul>\n";
  for (const std::string& warning : warnings) html += fmt::format("<li>{}</li>\n", escape_markup(warning));
  return html + "</ul></aside>\n";
}

std::string write_section(const Section& section, Writer& writer) {
  std::string body;
  for (const Block& block : section.blocks) body += std::visit(writer, block);
  const std::string heading = escape_markup(section.heading);
  if (section.is_collapsed)
    return fmt::format("<section class=\"card\"><details><summary>{}</summary>\n{}</details></section>\n", heading,
                       body);
  return fmt::format("<section class=\"card\"><h2>{}</h2>\n{}</section>\n", heading, body);
}

std::string write_provenance(const Report& report) {
  std::string html = "<footer class=\"card\"><h2>Where this came from</h2><table>\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_markup(name), escape_markup(value));
  };
  row("Program", fmt::format("dashpot {}, commit {}", version(), commit()));
  row("Build", fmt::format("{}, {}", compiler(), build_flags()));
  for (const auto& [name, value] : report.provenance) row(name, value);
  return html + "</table></footer>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  Writer writer;
  const std::string title = escape_markup(report.title);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n"
      "<meta name=\"generator\" content=\"dashpot {} "
      "{}\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      escape_markup(version()), escape_markup(commit()), title, report_style, title);
  if (!report.subtitle.empty()) html += fmt::format("<p class=\"subtitle\">{}</p>\n", escape_markup(report.subtitle));
  if (!report.failure.empty())
    html += fmt::format("<aside class=\"failure\" role=\"alert\">{}</aside>\n", escape_markup(report.failure));
  if (!report.summary.empty()) html += fmt::format("<p class=\"summary\">{}</p>\n", escape_markup(report.summary));
  html += write_key_figures(report.key_figures);
  html += write_warnings(report.warnings);
  for (const Section& section : report.sections) html += write_section(section, writer);
  html += write_provenance(report);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace dashpot::render
