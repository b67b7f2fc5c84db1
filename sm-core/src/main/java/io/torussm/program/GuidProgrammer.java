package io.torussm.program;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable.Block;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The programming of alias GUIDs (GUIDInfo, IBA 14.2.5.5). GUIDs of ports without aliases are never read, so a fabric
 * without aliases costs no SMPs.
 *
 * <p>A block is written when the table changes, and again with each sweep, light or whole, until the port accepts it.
 * After a whole sweep the blocks of all ports with aliases are read; after a local sweep, those of devices with new
 * links. Entries that a port has lost are written again.
 *
 * <p>No request is sent while a sweep runs, because a sweep may change the M_Keys. Routing does not depend on GUIDs,
 * so a failure here leaves no sweep incomplete.
 *
 * <p>Owner thread: the loop.
 */
public final class GuidProgrammer {
    private static final EventLog EVENTS = EventLog.of(GuidProgrammer.class);

    private final MadClient client;
    private final AliasGuids aliases;

    /** Blocks to be written. */
    private final Set<Block> blocksToWrite = new LinkedHashSet<>();

    /** Blocks to be read, and written if they differ. */
    private final Set<Block> blocksToRead = new LinkedHashSet<>();

    /** Port GUIDs of ports that did not accept the last write, which was reported. */
    private final Set<Long> refusingPorts = new HashSet<>();

    /** End ports of {@link #fabric} by GUID; empty until first needed. */
    private final Map<Long, Integer> ports = new HashMap<>();

    /** The fabric of the last sweep; null before {@link #adopt} and after {@link #suspend}. */
    private @Nullable Fabric fabric;

    /** Scope of the current requests; null if none are sent. */
    private @Nullable MadScope pass;

    /** True if a sweep runs, so that no request may be sent. */
    private boolean isHeld;

    GuidProgrammer(MadClient client, AliasGuids aliases) {
        this.client = client;
        this.aliases = aliases;
        aliases.whenChanged(blocks -> {
            blocksToWrite.addAll(blocks);
            start();
        });
    }

    /**
     * Adopts the fabric of a sweep that is about to succeed.
     *
     * @param risen indexes of ports whose links became ACTIVE
     * @param isWhole whether the sweep read the whole fabric
     */
    public void adopt(Fabric swept, BitSet risen, boolean isWhole) {
        fabric = swept;
        ports.clear();
        if (aliases.table().blocks().isEmpty()) {
            return;
        }
        aliases.removePortGuids(ports()::containsKey);
        BitSet risenAt = new BitSet();
        risen.stream().forEach(port -> risenAt.set(swept.nodeOf(port)));
        for (Block block : aliases.table().blocks()) {
            Integer port = portOf(block);
            if (port != null && (isWhole || risenAt.get(swept.nodeOf(port)))) {
                blocksToRead.add(block);
            }
        }
    }

    /** Returns the end port of a block; null if it is absent. */
    private @Nullable Integer portOf(Block block) {
        return ports().get(block.portGuid());
    }

    /** Returns the map of end ports, which is built on demand. */
    private Map<Long, Integer> ports() {
        Fabric current = fabric;
        if (ports.isEmpty() && current != null) {
            for (int port = 0; port < current.portCount(); port++) {
                if (current.isEndport(port)) {
                    ports.putIfAbsent(current.portGuid(port), port);
                }
            }
        }
        return ports;
    }

    /** Pauses for a sweep; cancelled requests are sent again after it. */
    public void hold() {
        isHeld = true;
        endPass();
    }

    /** Resumes after a sweep, and sends outstanding requests. */
    public void release() {
        isHeld = false;
        start();
    }

    /** Stops sending until the next {@link #adopt}, because another SM is master. */
    public void suspend() {
        fabric = null;
        ports.clear();
        blocksToWrite.clear();
        blocksToRead.clear();
        endPass();
    }

    private void endPass() {
        MadScope open = pass;
        pass = null;
        if (open != null) {
            open.close();
        }
    }

    /** Reads blocks, then writes blocks, unless requests are in progress or a sweep runs. */
    private void start() {
        Fabric current = fabric;
        if (current == null || isHeld || pass != null || (blocksToWrite.isEmpty() && blocksToRead.isEmpty())) {
            return;
        }
        MadScope scope = client.scope();
        pass = scope;
        Set<Block> failed = new HashSet<>();
        scope.whenFailed(bug -> {
            EVENTS.report(SmEvent.ALIAS_GUIDS_DEFECT, bug);
            pass = null;
        });
        blocksToRead.removeAll(blocksToWrite);
        scope.pull(requests(new ArrayDeque<>(blocksToRead), block -> read(scope, current, block)));
        scope.whenIdle(() -> {
            scope.pull(requests(new ArrayDeque<>(blocksToWrite), block -> write(scope, current, block, failed)));
            scope.whenIdle(() -> {
                pass = null;
                if (!failed.containsAll(blocksToWrite)) { // failed blocks wait for the next sweep
                    start();
                }
            });
        });
    }

    private static LookaheadIterator<SmpRequest<?>> requests(Queue<Block> blocks, Request request) {
        return new LookaheadIterator<>() {
            @Override
            protected @Nullable SmpRequest<?> findNext() {
                SmpRequest<?> next = null;
                while (next == null && !blocks.isEmpty()) {
                    next = request.of(blocks.remove());
                }
                return next;
            }
        };
    }

    /** A source of requests; null if a block needs none. */
    private interface Request {
        @Nullable
        SmpRequest<?> of(Block block);
    }

    private @Nullable SmpRequest<?> read(MadScope within, Fabric current, Block block) {
        Integer port = portOf(block);
        if (port == null) {
            blocksToRead.remove(block);
            return null;
        }
        return SmpRequest.get(GuidInfo.TYPE, current.pathTo(port), block.number(), outcome -> {
            if (within != pass) {
                return;
            }
            blocksToRead.remove(block);
            boolean isHeldThere = outcome instanceof Outcome.Reply<GuidInfo> reply
                    && hasGuids(reply.value(), aliases.table().guids(block), block, capacity(current, port));
            if (isHeldThere) {
                onBlockDone(block);
            } else {
                blocksToWrite.add(block);
            }
        });
    }

    private @Nullable SmpRequest<?> write(MadScope within, Fabric current, Block block, Set<Block> failed) {
        Integer port = portOf(block);
        if (port == null) {
            blocksToWrite.remove(block);
            return null;
        }
        long[] wanted = aliases.table().guids(block);
        return SmpRequest.set(GuidInfo.of(wanted), current.pathTo(port), block.number(), outcome -> {
            if (within != pass) {
                return;
            }
            boolean isTaken = outcome instanceof Outcome.Reply<GuidInfo> reply
                    && hasGuids(reply.value(), wanted, block, capacity(current, port));
            if (!isTaken) {
                failed.add(block);
                reportRefusal(current, port, outcome);
            } else if (Arrays.equals(wanted, aliases.table().guids(block))) {
                refusingPorts.remove(block.portGuid());
                onBlockDone(block);
            }
        });
    }

    private void onBlockDone(Block block) {
        blocksToWrite.remove(block);
        aliases.onBlockWritten(block);
    }

    private void reportRefusal(Fabric current, int port, Outcome<GuidInfo> outcome) {
        if (refusingPorts.add(current.portGuid(port))) {
            String reason = outcome instanceof Outcome.Reply<GuidInfo> ? "it keeps other GUIDs" : outcome.toString();
            EVENTS.report(
                    SmEvent.ALIAS_GUIDS_REFUSED,
                    EventField.NAME.of(current.devicePort(port)),
                    EventField.REASON.of(reason));
        }
    }

    private static int capacity(Fabric current, int port) {
        PortInfo info = current.portInfo(port);
        return info == null ? 0 : (int) info.get(PortInfo.GUID_CAP);
    }

    /** Checks whether a port has the wanted GUIDs; its own GUID and entries beyond its capacity do not count. */
    private static boolean hasGuids(GuidInfo held, long[] wanted, Block block, int room) {
        for (int i = block.number() == 0 ? 1 : 0; i < wanted.length; i++) {
            boolean isThere = block.number() * GuidInfo.GUIDS_PER_BLOCK + i < room;
            if (isThere && held.guid(i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
