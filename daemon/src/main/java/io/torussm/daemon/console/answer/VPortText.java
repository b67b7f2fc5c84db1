package io.torussm.daemon.console.answer;

import io.torussm.vport.VPortTable.NamedVPort;
import io.torussm.vport.VPortTable.VPortCount;
import java.util.List;
import java.util.stream.Collectors;

/** The words for virtual ports. Hosts choose their descriptions, so these are made printable. */
public final class VPortText {
    private static final int MAX_NAME = 64;

    private VPortText() {}

    /** Returns the numbers of virtual ports, and the descriptions of the first ones. */
    public static String of(VPortCount vports) {
        List<NamedVPort> described = vports.described() == null ? List.of() : vports.described();
        return vports
                + described.stream()
                        .map(each -> "; vport " + each.index() + quoted(each.description()))
                        .collect(Collectors.joining());
    }

    /** Returns a description in quotes behind a blank; an empty text for an empty one. */
    public static String quoted(String description) {
        return description.isEmpty() ? "" : " \"" + Printable.text(description, MAX_NAME) + '"';
    }
}
