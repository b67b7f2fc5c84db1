package io.torussm.daemon.replay;

import io.torussm.daemon.recorder.SweepText;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.Finding;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

/** The translation of the actions of an SM into decisions, during the run. */
class Decisions implements VirtualSm.Watcher {
    private static final Map<Integer, String> NAMES = Map.of(
            SwitchInfo.TYPE.id(), "SwitchInfo",
            GuidInfo.TYPE.id(), "GUIDInfo",
            PortInfo.TYPE.id(), "PortInfo",
            PKeyTable.TYPE.id(), "P_KeyTable",
            SlToVlMappingTable.TYPE.id(), "SLtoVLMappingTable",
            VlArbitrationTable.TYPE.id(), "VLArbitrationTable",
            LinearForwardingTable.TYPE.id(), "LinearForwardingTable",
            MulticastForwardingTable.TYPE.id(), "MulticastForwardingTable",
            SmInfo.TYPE.id(), "SMInfo");

    private final LongSupplier nowNs;

    /** Time on the clock at which the recording begins. */
    private final long beginNs;

    private final UnaryOperator<String> names;
    private final Consumer<Decision> consumer;
    private long number;

    /**
     * Creates a translation. Actions before the begin of the recording are ignored.
     *
     * @param nowNs clock of the run
     * @param beginNs time on the clock at which the recording begins
     * @param names function that replaces the temporary file names in a text by the recorded ones
     * @param taker callback; called with each decision
     */
    Decisions(LongSupplier nowNs, long beginNs, UnaryOperator<String> names, Consumer<Decision> taker) {
        this.nowNs = nowNs;
        this.beginNs = beginNs;
        this.names = names;
        this.consumer = taker;
    }

    /** Collects the decisions of the original run from a recording. */
    static List<Decision> recorded(Recording recording) {
        List<Decision> all = new ArrayList<>();
        long[] current = new long[1];
        Decisions decisions = new Decisions(() -> current[0], recording.beginNs(), text -> text, all::add);
        for (Entry entry : recording.entries()) {
            current[0] = entry.timeNs();
            if (entry instanceof Entry.Sent sent && isSet(sent.frame().mad())) {
                decisions.onSet(sent.frame());
            } else if (entry instanceof Entry.Note note && note.kind() == NoteKind.EVENT) {
                decisions.add(Decision.DecisionType.EVENT, note.text());
            } else if (entry instanceof Entry.Note note && note.kind() == NoteKind.SWEEP) {
                decisions.add(Decision.DecisionType.SWEEP, note.text());
            }
        }
        return all;
    }

    private static boolean isSet(byte[] mad) {
        return mad.length >= MadHeader.MAD_SIZE
                && MgmtClass.isSmp(MadHeader.mgmtClass(mad))
                && MadHeader.method(mad) == Method.SET;
    }

    private void add(Decision.DecisionType kind, String text) {
        if (nowNs.getAsLong() >= beginNs) {
            consumer.accept(new Decision(++number, nowNs.getAsLong() - beginNs, kind, names.apply(text)));
        }
    }

    @Override
    public void onEvent(Finding finding) {
        add(Decision.DecisionType.EVENT, finding.line());
    }

    @Override
    public void onSet(MadFrame frame) {
        byte[] mad = frame.mad();
        DrPath path = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE ? Smp.path(mad) : null;
        int attributeId = MadHeader.attributeId(mad);
        CRC32C digest = new CRC32C();
        digest.update(mad, Smp.DATA_OFFSET, Smp.DATA_SIZE);
        add(
                Decision.DecisionType.WRITE,
                (path == null ? "LID " + frame.peer().lid() : path.toString()) + " "
                        + NAMES.getOrDefault(attributeId, String.format("0x%04x", attributeId))
                        + String.format(" 0x%x %08x", MadHeader.attributeModifier(mad), digest.getValue()));
    }

    /** Adds a decision if an event ends a sweep. The loss of the port counts as a failed sweep. */
    @Override
    public void onSweepEvent(SweepEvent event) {
        String end = SweepText.of(
                event instanceof SweepEvent.PortLost lost ? new SweepEvent.SweepFailed(lost.reason()) : event);
        if (end != null) {
            add(Decision.DecisionType.SWEEP, end);
        }
    }
}
