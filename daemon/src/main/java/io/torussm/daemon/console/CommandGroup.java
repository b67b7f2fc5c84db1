package io.torussm.daemon.console;

import java.util.List;

/** A group of commands in {@code help}. The constants are in the order of display. */
enum CommandGroup {
    LOOK(
            "Look",
            "status health conditions absent changes events host torus tree switches lids vports names sms version"),
    ASK_WHY("Ask why", "path port node switch routing check counters congestion history diff show drift drained"),
    SERVICES("Services to hosts", "sa partitions mcast qos"),
    CHANGE("Change the fabric", "sweep reroute drain undrain bounce partition clear-counters"),
    CARE("Care for the SM", "priority handover takeover release keys loglevel dump record capture"),
    PLAN("Plan and export", "shadow inventory export sl-map certificate"),
    SESSION("This console", "watch help quit");

    private final String title;
    private final String names;

    CommandGroup(String title, String names) {
        this.title = title;
        this.names = names;
    }

    String title() {
        return title;
    }

    /** Returns the names of the commands in the order of display. */
    List<String> names() {
        return List.of(names.split(" ", -1));
    }
}
