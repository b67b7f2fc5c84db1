package io.torussm.sim.fault;

import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.agent.VPortAgent;
import java.util.List;

/** The words for virtual ports, which a host plugs in and out: as an SR-IOV operator does it. */
final class VPortWords {
    private static final String PLUG = "VPort \"nodeid\"[port] index [guid]";
    private static final String UNPLUG = "NoVPort \"nodeid\"[port] index";
    private static final int MAX_INDEX = 0xfffe;

    private final Faults faults;

    VPortWords(Faults faults) {
        this.faults = faults;
    }

    List<ConsoleWord> all() {
        return List.of(
                new ConsoleWord("VPort", PLUG, "a virtual port arrives, or has another GUID", this::plug),
                new ConsoleWord("NoVPort", UNPLUG, "a virtual port goes", this::unplug));
    }

    private ConsoleWord.Action plug(ConsoleLine line) throws BadLineException {
        Arguments args = new Arguments(faults.nodes(), line, PLUG);
        CableEnd port = args.port(0, 1);
        int index = (int) args.number(0, MAX_INDEX);
        long guid = args.hasMore() ? args.number(1, Long.MAX_VALUE) : 0;
        args.requireEnd();
        return ConsoleWord.silentAction(() -> {
            VPortAgent vports = vports(port);
            long own = guid == 0 ? vports.defaultGuid(index) : guid;
            if (vports.hasVPort(index)) {
                vports.changeGuid(index, own);
            } else {
                vports.plug(index, own);
            }
        });
    }

    private ConsoleWord.Action unplug(ConsoleLine line) throws BadLineException {
        Arguments args = new Arguments(faults.nodes(), line, UNPLUG);
        CableEnd port = args.port(0, 1);
        int index = (int) args.number(0, MAX_INDEX);
        args.requireEnd();
        return ConsoleWord.silentAction(() -> vports(port).unplug(index));
    }

    private VPortAgent vports(CableEnd port) {
        return faults.fabric().interventions().vports(port.nodeGuid(), port.portNum());
    }
}
