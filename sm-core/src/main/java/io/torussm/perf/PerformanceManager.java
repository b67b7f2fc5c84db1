package io.torussm.perf;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadStatus;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PortCounters;
import io.torussm.perf.PerfSettings.Clearing;
import io.torussm.subnet.Subnet;
import io.torussm.transport.GsiClient;
import io.torussm.transport.GsiRequest;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.Outcome;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reading of the counters of all ports in turns, as long as this SM is master. The number of pending
 * requests is limited for each agent and in total, and so is their rate. An agent that does not answer is not read in
 * the rest of the turn, and then at growing intervals, so that it does not delay others. Owner thread: the loop,
 * except for methods that say otherwise.
 */
public final class PerformanceManager {
    private static final EventLog EVENTS = EventLog.of(PerformanceManager.class);

    private static final long MAX_PAUSE_NS = TimeUnit.MINUTES.toNanos(10);

    /** Number of consecutive turns with a failure after which an agent is reported as silent. */
    private static final int FAILURES_BEFORE_REPORT = 2;

    /** The fraction of a limit below which a condition ends. */
    private static final double END_FRACTION = 0.5;

    private final Loop loop;
    private final GsiClient client;
    private final CounterStore store;
    private final Supplier<PerfSettings> settings;
    private final Agents agents;
    private final PortConditions conditions = new PortConditions();
    private final PollCounts counts = new PollCounts();
    private final LogRateLimiter refusals;

    private @Nullable PublishedView view;
    private Loop.Timer nextTurn = () -> {};

    /** Agents with a port that may be read next. */
    private final Deque<Agent> readyAgents = new ArrayDeque<>();

    /** Objects for reuse, so that reading makes no garbage. */
    private final Deque<PortPoll> idlePolls = new ArrayDeque<>();

    /** Number of ports that are being read. */
    private int portsInProgress;

    /** Number of agents whose turn has not ended. */
    private int unfinishedAgents;

    /** Begin of the present turn. */
    private long turnNs;

    /** Set while turns are reported as exceeding their interval. */
    private boolean isLate;

    /**
     * Creates a manager that waits for a subnet.
     *
     * @param loop loop that owns the manager
     * @param client creates the client on the same loop, with a check of redirections
     * @param store receives the counters
     * @param settings returns the settings; called at each use, on the loop
     */
    public PerformanceManager(
            Loop loop,
            Function<GsiClient.RedirectionPolicy, GsiClient> client,
            CounterStore store,
            Supplier<PerfSettings> settings) {
        this.loop = loop;
        this.client = client.apply(this::redirection);
        this.store = store;
        this.settings = settings;
        agents = new Agents(store);
        refusals = new LogRateLimiter(loop::nowNs);
    }

    /** Returns the counters. May be called from any thread. */
    public CounterStore store() {
        return store;
    }

    /** Returns the statistics of the reading. May be called from any thread. */
    public PollStatistics statistics() {
        return counts.statistics();
    }

    /** Returns the statistics of requests, answers and unsolicited MADs. May be called from any thread. */
    public GsiClient.Stats requests() {
        return client.stats();
    }

    /** Returns the client of all agents behind QP1, which other code on the loop may use. */
    public GsiClient client() {
        return client;
    }

    /** Reads the counters of a new subnet of which this SM is master. May be called from any thread. */
    public void subnetUp(PublishedView newView) {
        loop.execute(() -> {
            boolean isFirst = view == null;
            view = newView;
            adoptView(newView);
            if (isFirst) {
                beginTurn();
            }
        });
    }

    /** Stops the reading, because another SM is master, or this SM ends. May be called from any thread. */
    public void end() {
        loop.execute(() -> {
            view = null;
            stop();
            conditions.forget();
        });
    }

    /** Applies changed settings. May be called from any thread. */
    public void settingsChanged() {
        loop.execute(() -> {
            PublishedView currentView = view;
            stop();
            if (currentView != null && settings.get().isPolling()) {
                adoptView(currentView);
                beginTurn();
            } else {
                conditions.endAll();
            }
        });
    }

    private void stop() {
        nextTurn.cancel();
        agents.agents().forEach(Agent::leaveTurn);
        readyAgents.clear();
        agents.forget();
        unfinishedAgents = 0;
        counts.setAgents(0, 0, 0);
    }

    private void adoptView(PublishedView currentView) {
        PerfSettings wanted = settings.get();
        if (wanted.isPolling()) {
            store.setLimits(wanted.limits());
            store.update(currentView.subnet().fabric(), wanted.samples(), wanted.forgetsDevices(), loop.nowNs());
            agents.update(currentView, wanted.ignoresHosts());
            client.forgetRedirections(); // In the new subnet their LIDs may belong to other ports.
            conditions.update(currentView.subnet().fabric());
        }
    }

    /** Begins a turn, unless the previous turn has not ended, and schedules the next. */
    private void beginTurn() {
        PerfSettings wanted = settings.get();
        nextTurn.cancel();
        if (view == null || !wanted.isPolling()) {
            return;
        }
        nextTurn = loop.schedule(wanted.intervalNs(), this::beginTurn);
        if (unfinishedAgents > 0) {
            counts.countLate();
            if (!isLate) {
                isLate = true;
                EVENTS.report(
                        SmEvent.PERF_POLLING_SLOW,
                        EventField.SECONDS.of(wanted.pollIntervalS()),
                        EventField.COUNT.of(unfinishedAgents));
            }
            return;
        }
        turnNs = loop.nowNs();
        for (Agent agent : agents.agents()) {
            if (agent.begin(turnNs)) {
                unfinishedAgents++;
                enqueue(agent);
            }
        }
        send();
    }

    private void enqueue(Agent agent) {
        if (!agent.setQueued(true)) {
            readyAgents.add(agent);
        }
    }

    /** Begins to read as many ports as the windows permit, one port of each agent in turn. */
    private void send() {
        PerfSettings current = settings.get();
        while (!readyAgents.isEmpty() && portsInProgress < current.maxQueries()) {
            Agent agent = readyAgents.remove();
            agent.setQueued(false);
            if (agent.hasNext(current.deviceQueries())) {
                begin(agent);
            } else {
                endTurnOf(agent);
            }
            if (agent.hasNext(current.deviceQueries())) {
                enqueue(agent);
            }
        }
    }

    private void begin(Agent agent) {
        PortPoll poll = idlePolls.isEmpty() ? new PortPoll() : idlePolls.pop();
        portsInProgress++;
        poll.begin(agent, agent.takeNext());
        if (agent.capability() == null) {
            get(poll, ClassPortInfo.TYPE.zero(), (info, status) -> {
                agent.setCapability(info == null ? AgentCapability.MINIMAL : AgentCapability.of(info));
                readNext(poll);
            });
        } else {
            readNext(poll);
        }
    }

    /** A consumer of the answers of an agent. */
    private interface Answer<A> {
        /**
         * Handles an answer.
         *
         * @param value attribute in the answer; null if the request was rejected
         * @param status MAD status
         */
        void accept(@Nullable A value, int status);
    }

    private <A extends Attribute<A>> void get(PortPoll poll, A value, Answer<A> then) {
        client.send(GsiRequest.perfGet(
                poll.agent().address(), value, (outcome, atNs) -> onOutcome(poll, outcome, atNs, then)));
    }

    private <A extends Attribute<A>> void set(PortPoll poll, A value, Answer<A> then) {
        client.send(GsiRequest.perfSet(
                poll.agent().address(), value, (outcome, atNs) -> onOutcome(poll, outcome, atNs, then)));
    }

    private <A extends Attribute<A>> void onOutcome(PortPoll poll, Outcome<A> outcome, long atNs, Answer<A> then) {
        counts.countRequest();
        poll.setAnswerNs(atNs);
        try {
            if (poll.isStale()) {
                end(poll);
            } else if (outcome instanceof Outcome.Reply<A> reply) {
                then.accept(reply.value(), MadStatus.OK);
            } else if (outcome instanceof Outcome.Failure<A> failure) {
                onFailure(poll, failure, then);
            }
        } catch (RuntimeException | Error bug) {
            end(poll);
            throw bug;
        }
    }

    private <A extends Attribute<A>> void onFailure(PortPoll poll, Outcome.Failure<A> failure, Answer<A> then) {
        boolean isAnswer = failure.reason() == Outcome.FailureReason.BAD_STATUS;
        if (!isAnswer) {
            counts.countUnanswered();
            fail(poll, failure.reason() == Outcome.FailureReason.TIMEOUT ? "no answer" : failure.toString());
        } else if ((failure.status() & MadStatus.REDIRECT) != 0) {
            fail(poll, "requests are redirected to where they are not sent");
        } else if (failure.isBusy()) {
            fail(poll, "always busy");
        } else {
            then.accept(null, failure.status());
        }
    }

    private void readNext(PortPoll poll) {
        CounterQuery query = poll.next(settings.get().readsDetails());
        if (query == null) {
            storeReading(poll);
        } else {
            readCounters(poll, query, query.set());
        }
    }

    private <A extends Attribute<A>> void readCounters(PortPoll poll, CounterQuery query, CounterSet<A> counters) {
        get(poll, counters.readRequest(poll.port().portNum()), (value, status) -> {
            AgentCapability can = poll.capability();
            if (value != null) {
                query.read(value, can, poll.reading());
            } else if (query == CounterQuery.BASIC) {
                fail(poll, String.format("status 0x%04x", status));
                return;
            } else {
                poll.agent()
                        .setCapability(query == CounterQuery.EXTENDED ? can.withoutExtended() : can.withoutDetails());
            }
            readNext(poll);
        });
    }

    private void storeReading(PortPoll poll) {
        Agent.Port port = poll.port();
        DeviceCounters counters = poll.agent().counters();
        boolean isCleared = counters.add(
                port.portNum(),
                poll.reading(),
                poll.answerNs(),
                loop.timeOfDay().toEpochMilli(),
                port.link());
        if (isCleared) {
            counts.countClearing();
        }
        updateConditions(port, counters);
        if (wantsClearing(poll) && CounterQuery.BASIC.selectForClearing(poll.reading(), poll.countersToClear())) {
            set(
                    poll,
                    PortCounters.COUNTERS.clearRequest(
                            port.portNum(), CounterQuery.BASIC.fields(poll.countersToClear())),
                    (value, status) -> {
                        if (value != null) {
                            counters.onCleared(port.portNum(), poll.countersToClear());
                        }
                        end(poll);
                    });
        } else {
            end(poll);
        }
    }

    private boolean wantsClearing(PortPoll poll) {
        Clearing clearing = settings.get().clearing();
        return clearing == Clearing.ALWAYS
                || (clearing == Clearing.AUTO && !poll.capability().hasExtended());
    }

    private void updateConditions(Agent.Port port, DeviceCounters counters) {
        PublishedView currentView = view;
        PerfSettings wanted = settings.get();
        if (currentView == null
                || !wanted.reportsPorts()
                || port.index() >= currentView.subnet().fabric().portCount()) {
            return;
        }
        Thresholds limits = store.limits();
        List<PortFault> overLimit = counters.faults(port.portNum(), limits, port.link(), 1);
        if (!overLimit.isEmpty() || conditions.hasCondition(currentView.subnet().fabric(), port.index())) {
            List<PortFault> nearLimit = counters.faults(port.portNum(), limits, port.link(), END_FRACTION);
            conditions.update(currentView.subnet(), currentView.plan(), port.index(), overLimit, nearLimit);
        }
    }

    private void fail(PortPoll poll, String reason) {
        Agent agent = poll.agent();
        agent.onFailure(loop.nowNs(), settings.get().intervalNs(), MAX_PAUSE_NS);
        if (agent.failures() >= FAILURES_BEFORE_REPORT && !agent.isReported()) {
            agent.setReported(true);
            EVENTS.report(SmEvent.PERF_AGENT_SILENT, EventField.NAME.of(agent.name()), EventField.REASON.of(reason));
        }
        end(poll);
    }

    /** Ends the reading of a port, whether it succeeded or not; does nothing if it has ended. */
    private void end(PortPoll poll) {
        if (!poll.close()) {
            return;
        }
        Agent agent = poll.agent();
        portsInProgress--;
        idlePolls.push(poll);
        agent.onReadingEnd();
        endTurnOf(agent);
        if (agent.hasNext(settings.get().deviceQueries())) {
            enqueue(agent);
        }
        send();
    }

    /** Ends the turn of an agent that has no port left to read. */
    private void endTurnOf(Agent agent) {
        if (!agent.endTurnIfDone()) {
            return;
        }
        if (!agent.hasFailed()) {
            agent.onSuccess();
            if (agent.isReported()) {
                agent.setReported(false);
                EVENTS.report(SmEvent.PERF_AGENT_ANSWERS, EventField.NAME.of(agent.name()));
            }
        }
        unfinishedAgents--;
        if (unfinishedAgents == 0) {
            onTurnEnd();
        }
    }

    /** Returns the address to which an agent redirects requests; null if it is not accepted. */
    private @Nullable MadAddress redirection(MadAddress address, ClassPortInfo info) {
        PublishedView currentView = view;
        if (currentView == null || !settings.get().followsRedirection()) {
            return null;
        }
        Redirection redirection = Redirection.of(info, currentView.subnet(), currentView.plan());
        if (redirection.to() == null && refusals.recordEvent(address.lid()).isDue()) {
            EVENTS.report(
                    SmEvent.PERF_REDIRECTION_REFUSED,
                    EventField.NAME.of(name(currentView.subnet(), address.lid())),
                    EventField.TEXT.of(redirection.objection()));
        }
        return redirection.to();
    }

    private static Object name(Subnet subnet, int lid) {
        int port = subnet.portOfLid(lid);
        return port == Fabric.NONE ? "LID " + lid : subnet.deviceOf(port);
    }

    private void onTurnEnd() {
        long tookNs = loop.nowNs() - turnNs;
        counts.countTurn(tookNs, loop.timeOfDay());
        int ports = 0;
        int silent = 0;
        for (Agent agent : agents.agents()) {
            ports += agent.ports();
            silent += agent.isReported() ? 1 : 0;
        }
        counts.setAgents(agents.agents().size(), ports, silent);
        conditions.onTurnEnd();
        if (isLate && tookNs <= settings.get().intervalNs()) {
            isLate = false;
            EVENTS.report(SmEvent.PERF_POLLING_IN_TIME);
        }
    }
}
