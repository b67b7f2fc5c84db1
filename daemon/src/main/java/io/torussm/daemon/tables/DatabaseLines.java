package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The grammar of the database of ibdiagnet2 ({@code ibdiagnet2.db_csv}). It reads the sections {@code START_NODES},
 * {@code START_PORTS} and {@code START_LINKS}. The first line of a section has the names of its columns. Other sections
 * are ignored.
 */
public final class DatabaseLines implements Consumer<String> {
    private static final long SWITCH = 2; // NodeInfo.NodeType

    private final ConfLines conf;
    private final Sink sink;
    private String section = "";
    private Map<String, Integer> columns = new HashMap<>();

    /** A receiver of devices; nodes come before their ports, and ports before links. */
    public interface Sink {
        /** Takes a node. */
        void node(long guid, int ports, boolean isSwitch, String name);

        /** Receives a port. External ports of a switch have the LID and LMC of its port 0. */
        void port(long nodeGuid, int portNum, long portGuid, int lid, int lmc);

        /** Takes a link. */
        void link(long guid, int portNum, long farGuid, int farPortNum);
    }

    public DatabaseLines(ConfLines conf, Sink sink) {
        this.conf = conf;
        this.sink = sink;
    }

    @Override
    public void accept(String line) {
        String text = line.strip();
        if (text.startsWith("START_")) {
            section = text.substring("START_".length());
            columns = new HashMap<>();
        } else if (text.startsWith("END_")) {
            section = "";
        } else if (!text.isEmpty() && (section.equals("NODES") || section.equals("PORTS") || section.equals("LINKS"))) {
            List<String> cells = cells(text);
            if (columns.isEmpty()) {
                for (int i = 0; i < cells.size(); i++) {
                    columns.put(cells.get(i).toUpperCase(Locale.ROOT), i);
                }
                return;
            }
            try {
                take(cells);
            } catch (IllegalArgumentException e) {
                conf.error(ConfLines.quote(line) + ": " + e.getMessage());
            }
        }
    }

    private void take(List<String> cells) {
        switch (section) {
            case "NODES" ->
                sink.node(
                        number(cells, "NodeGUID"),
                        (int) number(cells, "NumPorts"),
                        number(cells, "NodeType") == SWITCH,
                        cells.get(column(cells, "NodeDesc")).replaceAll("[^ -~]", "?"));
            case "PORTS" ->
                sink.port(
                        number(cells, "NodeGuid"),
                        (int) number(cells, "PortNum"),
                        number(cells, "PortGuid"),
                        (int) number(cells, "LID"),
                        (int) number(cells, "LMC"));
            default ->
                sink.link(number(cells, "NodeGuid1"), (int) number(cells, "PortNum1"), number(cells, "NodeGuid2"), (int)
                        number(cells, "PortNum2"));
        }
    }

    private int column(List<String> cells, String name) {
        Integer column = columns.get(name.toUpperCase(Locale.ROOT));
        if (column == null || column >= cells.size()) {
            throw new IllegalArgumentException("section " + section + " has no column " + name + " here");
        }
        return column;
    }

    private long number(List<String> cells, String name) {
        String text = cells.get(column(cells, name));
        boolean isHex = text.startsWith("0x");
        OptionalLong number = text.equals("N/A")
                ? OptionalLong.of(0)
                : ConfLines.number(isHex ? text : text.replaceFirst("^0+(?=\\d)", ""));
        return number.orElseThrow(
                () -> new IllegalArgumentException(name + " is " + ConfLines.quote(text) + ", which is no number"));
    }

    /** Splits a line at commas outside of quotation marks. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }
}
