package io.torussm.daemon.console.sm;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The names of commands of OpenSM's console. A name with a counterpart is an alias of this counterpart. For other
 * names, the response explains the substitute.
 */
public final class OpenSmCommands {
    private static final Map<String, String> ALIASES = Map.of(
            "resweep", "sweep",
            "querylid", "port");

    private static final Map<String, String> SUBSTITUTES = Map.ofEntries(
            Map.entry("permodlog", "levels are set for the whole program: loglevel LEVEL"),
            Map.entry("logflush", "each line is written immediately; log_file names the file"),
            Map.entry("portstatus", "torus shows which links fail, switch NODE the state of its ports"),
            Map.entry("switchbalance", "switch NODE shows how many LIDs are forwarded by each port"),
            Map.entry("lidbalance", "switch NODE shows how many LIDs are forwarded by each port"),
            Map.entry(
                    "dump_conf", "the configuration is /etc/torus-sm/torus-sm.conf; torus-sm --check-config judges it"),
            Map.entry("update_desc", "sweep heavy reads all node descriptions again"),
            Map.entry("dump_portguid", "lids TEXT shows the port GUIDs of nodes whose name contains TEXT"),
            Map.entry(
                    "perfmgr",
                    "counters shows the counters of ports, clear-counters counts from 0; perfmgr is a setting"),
            Map.entry(
                    "pm", "counters shows the counters of ports, clear-counters counts from 0; perfmgr is a setting"));

    private OpenSmCommands() {}

    /** Returns the words of a request, with an alias replaced by the name of its command. */
    public static List<String> resolveAlias(List<String> words) {
        List<String> newer = new java.util.ArrayList<>(words);
        newer.set(0, ALIASES.getOrDefault(words.get(0), words.get(0)));
        return newer;
    }

    /** Returns the text on the substitute of a command of OpenSM; empty for an unknown name. */
    public static String substitute(List<String> words) {
        if (words.equals(List.of("status", "loop"))) {
            return "status answers once; events --follow shows what happens, watch status repeats it";
        }
        return SUBSTITUTES.getOrDefault(words.get(0), "");
    }

    /** Returns all names of OpenSM's commands, with their aliases or substitutes. */
    public static Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(SUBSTITUTES);
        all.putAll(ALIASES);
        return all;
    }
}
