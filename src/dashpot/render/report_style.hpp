#pragma once
// The style sheet of the HTML report. Internal to html_report.
namespace dashpot::render {

inline constexpr const char* report_style = R"css(
:root{--dp-ink:#1a1a1a;--dp-muted:#575757;--dp-grid:#dddddd;--dp-paper:#ffffff;--dp-page:#f5f6f7;--dp-accent:#00609a;
--dp-warn:#fff4dc;--dp-warn-edge:#c98a00;--dp-fail:#fde7e7;--dp-fail-edge:#b3261e;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--dp-ink:#e9eaec;--dp-muted:#a9adb3;--dp-grid:#3a3e44;--dp-paper:#1d2024;--dp-page:#141619;
--dp-accent:#6cb8ea;--dp-warn:#33290f;--dp-warn-edge:#d9a026;--dp-fail:#3d1716;--dp-fail-edge:#ef6a62}
.dp-figure [stroke="#0072b2"]{stroke:#4aa8e0}.dp-figure [fill="#0072b2"]{fill:#3f9bd3}
.dp-figure [stroke="#d55e00"]{stroke:#f07f2c}.dp-figure [fill="#d55e00"]{fill:#dd6f20}
.dp-figure [stroke="#009e73"]{stroke:#22bf92}.dp-figure [stroke="#777777"]{stroke:#a0a0a0}
.dp-figure [stroke="#8a8a00"]{stroke:#b5b52a}}
*{box-sizing:border-box}
body{margin:0;background:var(--dp-page);color:var(--dp-ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',
Arial,sans-serif}
main{max-width:940px;margin:0 auto;padding:32px 20px 48px}
h1{font-size:1.85rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:0 0 10px}
.subtitle{color:var(--dp-muted);margin:0 0 20px}
.summary{font-size:1.08rem;margin:0 0 22px;max-width:46em}
.card{background:var(--dp-paper);border:1px solid var(--dp-grid);border-radius:10px;padding:20px 22px;margin:0 0 18px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:12px;margin:0 0 22px;padding:0}
.figures div{background:var(--dp-paper);border:1px solid var(--dp-grid);border-radius:10px;padding:12px 16px}
.figures dt{color:var(--dp-muted);font-size:.86rem;margin:0}
.figures dd{margin:2px 0 0}
.figures .value{font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap}
.figures .unit{color:var(--dp-muted);font-size:1rem;margin-left:.25em}
.figures .note{color:var(--dp-muted);font-size:.84rem}
.warnings{background:var(--dp-warn);border:1px solid var(--dp-warn-edge);border-left-width:5px;border-radius:10px;padding:14px 20px;
margin:0 0 22px}
.failure{background:var(--dp-fail);border:2px solid var(--dp-fail-edge);border-left-width:8px;border-radius:10px;padding:14px 20px;
margin:0 0 22px;font-weight:600}
.warnings h2{font-size:1rem;margin:0 0 4px}.warnings ul{margin:0;padding-left:1.2em}
figure{margin:0 0 14px}figure svg{display:block;width:100%;height:auto}
figure img{display:block;max-width:100%;height:auto;border-radius:6px}
figcaption{color:var(--dp-muted);font-size:.9rem;margin-top:4px;max-width:56em}
.scroll{overflow-x:auto;margin:0 0 14px}
table{border-collapse:collapse;width:100%;font-size:.93rem}
caption{text-align:left;font-weight:600;padding:0 0 6px}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--dp-grid);text-align:left;vertical-align:top}
th{color:var(--dp-muted);font-weight:600;border-bottom-color:var(--dp-muted)}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr:last-child td{border-bottom:0}
.note{color:var(--dp-muted);font-size:.88rem;margin:6px 0 0}
details>summary{cursor:pointer;font-size:1.1rem;font-weight:600}
details[open]>summary{margin-bottom:12px}
pre{background:var(--dp-page);border:1px solid var(--dp-grid);border-radius:6px;padding:10px 14px;overflow-x:auto;font-size:.85rem}
footer{color:var(--dp-muted);font-size:.86rem}footer td,footer th{font-size:.86rem;padding:3px 12px 3px 0;border:0;color:var(--dp-muted);
overflow-wrap:anywhere}footer th{white-space:nowrap;font-weight:600}
footer table{width:auto}
@media print{:root{--dp-page:#fff;--dp-paper:#fff;--dp-ink:#000;--dp-muted:#444;--dp-grid:#ccc}main{max-width:none;padding:0}
.card,.figures div{border:0;padding:0}.card{margin-bottom:14px}figure,table,.warnings,.figures{break-inside:avoid}h2{break-after:avoid}}
)css";

}  // namespace dashpot::render
