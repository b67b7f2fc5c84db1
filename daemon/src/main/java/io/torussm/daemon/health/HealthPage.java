package io.torussm.daemon.health;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A self-contained page for browsers from a health report. */
public final class HealthPage {
    private static final String STYLE =
            "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
                    + "table{border-collapse:collapse;width:100%}td{padding:.3rem .7rem;border-bottom:1px solid #8884;vertical-align:top}"
                    + "ul{margin:.2rem 0;padding-left:1.2rem}.bad{color:#b00020;font-weight:bold}.warning{color:#8a5a00;font-weight:bold}";

    private HealthPage() {}

    /** Returns the page, line by line. */
    public static List<String> of(HealthReport report, String version) {
        List<String> page = new ArrayList<>(List.of(
                "<!DOCTYPE html>",
                "<html lang=\"en\"><meta charset=\"utf-8\"><title>Health of the subnet</title>",
                "<style>" + STYLE + "</style>",
                "<h1>Health of the subnet: " + word(report.verdict()) + "</h1>",
                "<p>" + report.at() + ", " + text(version) + "</p>",
                "<table>"));
        for (Check check : report.checks()) {
            String word = word(check.verdict());
            page.add("<tr><td class=\"" + word + "\">" + word + "<td>" + text(check.name()) + "<td>"
                    + text(check.summary()));
            if (!check.findings().isEmpty()) {
                page.add("<ul>");
                check.findings().forEach(found -> page.add("<li>" + text(found)));
                page.add("</ul>" + (check.more() > 0 ? "and " + check.more() + " more" : ""));
            }
        }
        page.add("</table></html>");
        return page;
    }

    private static String word(Check.Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    /** Escapes a text, because names of devices may contain any characters. */
    private static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
