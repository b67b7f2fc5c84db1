package io.torussm.daemon.shadow;

import io.torussm.daemon.control.ShadowReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The HTML page of a shadow report. It refers to no other file. */
public final class ShadowPage {
    private static final String STYLE =
            "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0"
                    + " 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.3rem .7rem;border-bottom:1px solid"
                    + " #8884;vertical-align:top;text-align:left}ul{margin:.2rem 0;padding-left:1.2rem}"
                    + ".bad{color:#b00020;font-weight:bold}.good{color:#1b6e20;font-weight:bold}";

    private final List<String> page = new ArrayList<>();

    private ShadowPage() {}

    /** Formats a report as the lines of an HTML page. */
    public static List<String> of(ShadowReport report, String version) {
        ShadowPage page = new ShadowPage();
        page.add(report, version);
        return page.page;
    }

    private void add(ShadowReport report, String version) {
        page.add("<!DOCTYPE html>");
        page.add("<html lang=\"en\"><meta charset=\"utf-8\"><title>Shadow</title>");
        page.add("<style>" + STYLE + "</style>");
        page.add("<h1 class=\"" + (report.isGood() ? "good" : "bad") + "\">" + text(report.headline()) + "</h1>");
        ShadowReport.Read fabric = report.fabric();
        page.add(String.format(
                Locale.ROOT,
                "<p>%d switches, %d hosts, %d cables; %d attributes read in %.1f s, %d unreadable; reading %d at %s;"
                        + " %d MADs so far, all Gets; %s</p>",
                fabric.switches(),
                fabric.hosts(),
                fabric.cables(),
                fabric.registers(),
                report.seconds(),
                fabric.untold(),
                report.readings(),
                report.at(),
                report.mads(),
                text(version)));
        section("Subnet managers", "state", "port GUID", "host", "LID", "priority");
        report.managers().forEach(sm -> row(sm.state(), sm.portGuid(), sm.name(), "" + sm.lid(), "" + sm.priority()));
        page.add("</table>");
        proof(report.proof());
        ShadowReport.Takeover takeover = report.takeover();
        if (takeover != null) {
            takeover(takeover);
        }
        ShadowReport.Paths paths = report.paths();
        if (paths != null) {
            heading("SLs of the master's SA: " + paths.same() + " of " + paths.answered() + " are equal to this SM's");
            list(paths.differing());
        }
        heading("Changed without a change of cables: " + report.drift().changed() + " entries since "
                + report.drift().since());
        changes(report.drift().examples());
        faults(report.faults());
        list(report.notes());
        page.add("</html>");
    }

    private void proof(ShadowReport.Proof proof) {
        heading("Proof of the tables that the switches hold");
        page.add("<p>" + text(proof.sls()) + "</p>");
        section("", "whose packets", "verdict", "channels", "dependencies");
        for (ShadowReport.Verdict verdict : proof.verdicts()) {
            boolean isFree = verdict.loop().isEmpty();
            String word = !verdict.isKnown()
                    ? "not known"
                    : isFree
                            ? "<span class=\"good\">free of credit loops</span>"
                            : "<span class=\"bad\">credit loop of "
                                    + verdict.loop().size() + " channels</span>";
            page.add("<tr><td>" + text(verdict.about()) + "<td>" + word);
            list(verdict.loop());
            page.add("<td>" + verdict.channels() + "<td>" + verdict.dependencies());
        }
        page.add("</table>");
        page.add("<p" + (proof.lost() == 0 ? "" : " class=\"bad\"") + ">Unreachable: " + proof.lost() + " of "
                + proof.paths() + " paths of hosts, and " + proof.lostWithSwitches() + " paths with a switch</p>");
        list(proof.losses());
        list(proof.groupFaults());
        list(proof.contradictions());
    }

    private void takeover(ShadowReport.Takeover takeover) {
        heading("A takeover would change in tables: "
                + (!takeover.outcome().isEmpty()
                        ? "not known: " + takeover.outcome()
                        : takeover.changed() == 0 ? "nothing" : ShadowReport.countsText(takeover.changes())));
        if (!takeover.settings().isEmpty()) {
            page.add("<p>Settings of ports and switches that would change: "
                    + text(ShadowReport.countsText(takeover.settings())) + "</p>");
        }
        page.add("<p>Engine " + text(takeover.engine()) + "; with any takeover: "
                + text(ShadowReport.countsText(takeover.unavoidable())) + "</p>");
        if (!takeover.devices().isEmpty()) {
            section("", "device", "changes");
            takeover.devices().forEach(device -> row(device.device(), ShadowReport.countsText(device.changes())));
            page.add("</table>");
        }
        changes(takeover.examples());
        list(takeover.findings());
    }

    private void faults(List<ShadowReport.Fault> faults) {
        if (faults.isEmpty()) {
            return;
        }
        section("Faults seen", "noticed", "what", "the master SM", "this SM");
        for (ShadowReport.Fault fault : faults) {
            ShadowReport.Response own = fault.own();
            row(
                    fault.noticedAt().toString(),
                    String.join("; ", fault.what()),
                    (fault.seconds() < 0
                                    ? "not whole again"
                                    : String.format(Locale.ROOT, "whole within %.1f s", fault.seconds()))
                            + ", " + ShadowReport.countsText(fault.changes()),
                    own == null
                            ? ""
                            : own.outcome().isEmpty()
                                    ? String.format(
                                            Locale.ROOT,
                                            "whole within %.1f s, %s",
                                            own.milliseconds() / 1_000.0,
                                            ShadowReport.countsText(own.changes()))
                                    : own.outcome());
        }
        page.add("</table>");
    }

    private void changes(List<ShadowReport.Change> changes) {
        if (!changes.isEmpty()) {
            section("", "table", "device", "port", "entry", "before", "after");
            changes.forEach(change -> row(
                    change.table(),
                    change.device(),
                    change.port() == 0 ? "" : "" + change.port(),
                    change.what(),
                    change.before(),
                    change.after()));
            page.add("</table>");
        }
    }

    private void heading(String text) {
        page.add("<h2>" + text(text) + "</h2>");
    }

    private void section(String title, String... columns) {
        if (!title.isEmpty()) {
            heading(title);
        }
        page.add("<table><tr>"
                + List.of(columns).stream().map(column -> "<th>" + text(column)).collect(Collectors.joining()));
    }

    private void row(String... cells) {
        page.add("<tr>"
                + List.of(cells).stream().map(cell -> "<td>" + text(cell)).collect(Collectors.joining()));
    }

    private void list(List<String> items) {
        if (!items.isEmpty()) {
            page.add("<ul>");
            items.forEach(item -> page.add("<li>" + text(item)));
            page.add("</ul>");
        }
    }

    /** Escapes a text, because names of devices may contain any characters. */
    private static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
