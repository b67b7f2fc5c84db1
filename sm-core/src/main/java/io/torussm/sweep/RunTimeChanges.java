package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.partition.PKeys;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeDecision;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartitions;
import io.torussm.program.Programmers;
import io.torussm.program.port.PartitionProgrammer;
import io.torussm.sweep.stages.StageRunner;
import io.torussm.sweep.stages.StandingFindings;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The changes of members of partitions between sweeps, one after the other. A change is checked and written to the
 * disk; then it is programmed at the concerned ports and published. A sweep that becomes due interrupts the
 * programming of a change at most once; the change continues after the sweep. Owner thread: the loop.
 */
final class RunTimeChanges {
    /** Limit of the waiting changes. */
    static final int MAX_WAITING = 64;

    /** Limit of the waiting changes of one requester. */
    static final int MAX_WAITING_OF_REQUESTER = 16;

    /** Limit of the ports that a message names. */
    private static final int MAX_NAMED = 3;

    private static final EventLog EVENTS = EventLog.of(RunTimeChanges.class);

    private final SweepContext parts;
    private final PartitionProgrammer programmer;
    private final Knowledge knowledge;
    private final StandingFindings pKeys;
    private final BooleanSupplier isMaster;
    private final Runnable proceed;
    private final LogRateLimiter reportLimiter;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** The change that is being written to the disk or to ports; null if there is none. */
    private @Nullable Current current;

    private @Nullable StageRunner writing;

    /** Ports whose failed writes were reported; an event follows when all of them are programmed. */
    private final Set<NodePort> unconfirmed = new HashSet<>();

    private record Waiting(RunTimeChange.Request request, Consumer<RunTimeOutcome> then) {}

    /** An accepted change, with the members before and after it. */
    private static final class Current {
        final Waiting waitingRequest;
        final RunTimePartitions before;
        final RunTimePartitions after;
        final String remark;

        /** Set when the members after the change are on the disk. */
        boolean isStored;

        /** Set if the change has waited for a sweep; it is not interrupted again. */
        boolean wasInterrupted;

        Current(Waiting asked, RunTimePartitions previous, RunTimePartitions after, String remark) {
            this.waitingRequest = asked;
            this.before = previous;
            this.after = after;
            this.remark = remark;
        }

        RunTimeChange change() {
            return waitingRequest.request().change();
        }
    }

    /**
     * Creates an empty queue of changes.
     *
     * @param pKeys ports without room for their P_Keys
     * @param isMaster checks whether this SM may make changes
     * @param proceed callback, called when the next work may begin
     */
    RunTimeChanges(
            SweepContext parts,
            Programmers programmers,
            Knowledge knowledge,
            StandingFindings pKeys,
            BooleanSupplier isMaster,
            Runnable proceed) {
        this.parts = parts;
        this.programmer = programmers.partitions();
        this.knowledge = knowledge;
        this.pKeys = pKeys;
        this.isMaster = isMaster;
        this.proceed = proceed;
        this.reportLimiter = new LogRateLimiter(parts.loop()::nowNs);
    }

    /**
     * Submits a change.
     *
     * @param completion callback, called once, on the loop
     */
    void submit(RunTimeChange.Request request, Consumer<RunTimeOutcome> completion) {
        long waitingOfRequester = waiting.stream()
                .filter(change -> change.request().requester().equals(request.requester()))
                .count();
        if (!isMaster.getAsBoolean()) {
            completion.accept(new RunTimeOutcome(ChangeStatus.NOT_MASTER, "this SM is not master; ask the master"));
        } else if (waiting.size() >= MAX_WAITING || waitingOfRequester >= MAX_WAITING_OF_REQUESTER) {
            completion.accept(new RunTimeOutcome(
                    ChangeStatus.BUSY,
                    (waitingOfRequester >= MAX_WAITING_OF_REQUESTER
                                    ? waitingOfRequester + " changes of " + request.requester()
                                    : waiting.size() + " changes")
                            + " wait already; try again when they are done"));
        } else {
            waiting.add(new Waiting(request, completion));
            decideNext();
        }
    }

    private void decideNext() {
        while (current == null && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            RunTimeOutcome refusal = decide(next);
            if (refusal != null) {
                next.then().accept(refusal);
            }
        }
    }

    /** Returns the reason for a refusal; null if the change was accepted. */
    private @Nullable RunTimeOutcome decide(Waiting next) {
        PublishedView view = knowledge.view();
        if (view == null) {
            return new RunTimeOutcome(ChangeStatus.NO_SUBNET, "no subnet is up; try again when it is");
        }
        RunTimeChange change = next.request().change();
        RunTimePartitions previous = parts.added().current();
        RunTimeDecision decision = RunTimeDecision.of(
                previous, change, view.partitions().settings().file());
        RunTimePartitions after = decision.next();
        if (after == null) {
            return decision.refusal();
        }
        if (!(change instanceof RunTimeChange.Reprogram)) { // which takes no P_Key of a member away
            PlannedPartitions paper = PlannedPartitions.of(view, previous, after, change);
            RunTimeOutcome objection =
                    paper.objection(next.request(), parts.maxPartitionChange().getAsInt());
            if (objection != null) {
                return objection;
            }
        }
        store(new Current(next, previous, after, decision.remark()));
        return null;
    }

    private void store(Current change) {
        current = change;
        if (change.after.equals(change.before)) {
            change.isStored = true;
            proceed.run();
            return;
        }
        parts.added().keep(change.after, change.change().pKey(), isKept -> {
            change.isStored = isKept;
            if (current == change && isKept) {
                proceed.run();
            } else if (current == change) {
                end(ChangeStatus.NOT_KEPT, "the file of members cannot be written to the state directory; see the log");
            }
        });
    }

    /** Checks whether a change is to be programmed before a due sweep, if any. */
    boolean isDue(boolean isSweepDue) {
        Current change = current;
        return change != null && change.isStored && writing == null && (!isSweepDue || change.wasInterrupted);
    }

    /** Checks whether a change is being programmed. */
    boolean isWriting() {
        return writing != null;
    }

    /** Interrupts the programming for a sweep; returns false if it has been interrupted before. */
    boolean interruptForSweep() {
        Current change = current;
        if (writing != null && change != null && change.wasInterrupted) {
            return false;
        }
        interrupt();
        return true;
    }

    /** Suspends the present change until the end of the sweep that begins. */
    void interrupt() {
        StageRunner stages = writing;
        writing = null;
        if (stages != null) {
            stages.close();
        }
        if (current != null) {
            current.wasInterrupted = true;
        }
    }

    /** Programs the concerned ports. */
    void write() {
        Current change = current;
        PublishedView view = knowledge.view();
        if (change == null || view == null) {
            end(ChangeStatus.UNCONFIRMED, "it is kept, but no subnet is up; the next sweep that can programs it");
            return;
        }
        PlannedPartitions paper = PlannedPartitions.of(view, change.before, change.after, change.change());
        StageRunner stages = new StageRunner(parts, this::onDefect, (phase, ns) -> {});
        writing = stages;
        stages.run(
                programmer,
                new PartitionProgrammer.Input(
                        view.subnet().fabric(),
                        paper.settings(),
                        new PartitionProgrammer.Part(
                                view.partitions(),
                                paper.endPorts(),
                                change.change() instanceof RunTimeChange.Reprogram)),
                result -> onWritten(change, paper, result));
    }

    /** Handles a bug: the next sweep reads the tables of ports again. */
    private void onDefect(Throwable bug) {
        EVENTS.report(SmEvent.RUN_TIME_CHANGE_ABANDONED, bug, EventField.KEY.of(key()));
        interrupt();
        programmer.forgetAll();
        PublishedView view = knowledge.view();
        if (view != null) {
            boolean hasOtherMembers = true;
            knowledge.onPartitionsChanged(view, true, hasOtherMembers);
        }
        end(ChangeStatus.UNCONFIRMED, "internal error: " + bug + "; the next sweep tries again");
    }

    private String key() {
        return current == null ? "" : PKeys.format(current.change().pKey());
    }

    private void onWritten(Current change, PlannedPartitions paper, PartitionProgrammer.ProgrammedPartitions result) {
        StageRunner stages = writing;
        writing = null;
        if (stages != null) {
            stages.close();
        }
        boolean hasOtherMembers = !(change.change() instanceof RunTimeChange.Reprogram);
        if (hasOtherMembers) {
            parts.memberships().declare(paper.settings().conf().groups());
        }
        pKeys.addNew(result.plan().findings());
        boolean isLeft = !result.unconfirmed().isEmpty() || mustEnforce(paper, result);
        knowledge.onPartitionsChanged(paper.view().with(result.plan()), isLeft, hasOtherMembers);
        Fabric fabric = result.fabric();
        String text = summary(change, paper);
        report(change, text);
        if (result.unconfirmed().isEmpty()) {
            end(ChangeStatus.DONE, text + "; in place" + (change.remark.isEmpty() ? "" : "; " + change.remark));
            return;
        }
        String names = result.unconfirmed().stream()
                .limit(MAX_NAMED)
                .mapToObj(fabric::portName)
                .collect(Collectors.joining(", "));
        EVENTS.report(
                SmEvent.RUN_TIME_CHANGE_UNCONFIRMED,
                EventField.KEY.of(key()),
                EventField.COUNT.of(result.unconfirmed().cardinality()),
                EventField.NAME.of(names));
        result.unconfirmed().stream().mapToObj(port -> fabric.nodePort(port)).forEach(unconfirmed::add);
        end(
                ChangeStatus.UNCONFIRMED,
                text + ", but not confirmed by " + names
                        + (result.unconfirmed().cardinality() > MAX_NAMED ? " and more" : "")
                        + "; the next sweep tries again");
    }

    /** Checks whether partition enforcement must begin; a sweep does that after all other writes. */
    private static boolean mustEnforce(PlannedPartitions paper, PartitionProgrammer.ProgrammedPartitions result) {
        Fabric fabric = result.fabric();
        return paper.endPorts().stream()
                .map(fabric::peer)
                .anyMatch(far -> far != Fabric.NONE
                        && result.plan().isEnforced(far)
                                != paper.view().partitions().isEnforced(far));
    }

    private static String summary(Current change, PlannedPartitions paper) {
        int guidCount = change.change().guids().size();
        return PKeys.format(change.change().pKey()) + ": "
                + paper.endPorts().cardinality() + " end ports concerned"
                + (paper.vports() > 0 ? ", " + paper.vports() + " virtual ports follow" : "")
                + (guidCount > paper.present() ? ", " + (guidCount - paper.present()) + " not in the fabric now" : "");
    }

    private void report(Current change, String message) {
        if (change.change() instanceof RunTimeChange.Reprogram) {
            return;
        }
        LogRateLimiter.Line line =
                reportLimiter.recordEvent(PKeys.format(change.change().pKey()));
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.RUN_TIME_CHANGE,
                    EventField.NAME.of(change.waitingRequest.request().requester()),
                    EventField.TEXT.of(message),
                    EventField.COUNT.of(line.count()));
        }
    }

    private void end(ChangeStatus status, String text) {
        Current change = current;
        current = null;
        if (change != null) {
            change.waitingRequest.then().accept(new RunTimeOutcome(status, text));
        }
        decideNext();
        proceed.run();
    }

    /** Handles the end of a sweep, which has written and read all reachable tables. */
    void onSweepEnd(PublishedView view) {
        if (!unconfirmed.isEmpty() && unconfirmed.stream().noneMatch(place -> isOpen(view, place))) {
            unconfirmed.clear();
            EVENTS.report(SmEvent.RUN_TIME_CHANGE_CONFIRMED);
        }
    }

    private boolean isOpen(PublishedView view, NodePort place) {
        Fabric fabric = view.subnet().fabric();
        int port = fabric.port(place);
        return port != Fabric.NONE && view.partitions().table(port) != null && !programmer.isConfirmed(fabric, port);
    }

    /**
     * Ends all changes, because this SM is no longer master or ends. A change that is on the disk remains there for
     * the next master.
     */
    void endAll(ChangeStatus status, String reason) {
        interrupt();
        unconfirmed.clear();
        Current change = current;
        current = null;
        Deque<Waiting> dropped = new ArrayDeque<>(waiting);
        waiting.clear();
        if (change != null) {
            change.waitingRequest
                    .then()
                    .accept(new RunTimeOutcome(status, reason + "; whether the change is kept is not known"));
        }
        dropped.forEach(each -> each.then().accept(new RunTimeOutcome(status, reason)));
    }
}
