package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.control.Adoption;
import io.torussm.daemon.opensm.OpenSmFiles;
import io.torussm.daemon.opensm.SaDump;
import io.torussm.daemon.opensm.SubscriberLids;
import io.torussm.daemon.shadow.ShadowStudy;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SilentSm;
import io.torussm.mastership.SmState;
import io.torussm.registration.SaContents;
import io.torussm.shadow.FabricReader;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A takeover of the subnet from the master SM, and a release, by the election of IBA 14.4. A master hands over to an SM
 * of higher rank. So this class raises or lowers the priority of this SM, until the configuration is read again. A
 * takeover is first tried on a copy of the fabric.
 * Any thread; the state belongs to the {@code sm} loop.
 */
final class OperatorAdoption implements Adoption {
    private static final EventLog EVENTS = EventLog.of(OperatorAdoption.class);
    private static final int MAX_PRIORITY = 15;

    /** Time limit for the handover of a master and the first sweep of the new master together, in ns. */
    static final long HANDOVER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final SubnetManager manager;
    private final SmResources resources;
    private final LiveSettings settings;
    private final Lifetime lifetime;
    private final SubnetManagerService.Host host;

    OperatorAdoption(
            SubnetManager manager,
            SmResources resources,
            LiveSettings settings,
            Lifetime lifetime,
            SubnetManagerService.Host host) {
        this.manager = manager;
        this.resources = resources;
        this.settings = settings;
        this.lifetime = lifetime;
        this.host = host;
    }

    /**
     * The facts of a takeover before the fabric is read.
     *
     * @param report report so far, without a trial
     * @param fromDump registrations in OpenSM's dump; null without a dump
     * @param initial registrations with which this SM would start
     */
    private record Facts(TakeOver report, @Nullable SaContents fromDump, SaContents initial) {}

    // --- takeover ---

    @Override
    public CompletableFuture<TakeOver> previewTakeOver(@Nullable Path saDump) {
        CompletableFuture<TakeOver> answer = new CompletableFuture<>();
        preview(saDump, answer, (prospect, preview) -> answer.complete(preview));
        return answer;
    }

    @Override
    public CompletableFuture<TakeOver> takeOver(@Nullable Path saDump, boolean mayChange) {
        CompletableFuture<TakeOver> answer = new CompletableFuture<>();
        preview(saDump, answer, (prospect, preview) -> {
            long changes = preview.changes();
            if (!preview.objection().isEmpty()) {
                answer.complete(preview);
            } else if (changes != 0 && !mayChange) {
                answer.complete(preview.withObjection(
                        changes < 0
                                ? "the changes are not known; changes yes takes over nevertheless"
                                : changes + " entries would change; changes yes takes over nevertheless"));
            } else {
                lifetime.execute(assembly -> claim(assembly, prospect, preview, answer));
            }
        });
        return answer;
    }

    /** A receiver of the preview of a takeover. Called on the thread of precomputation. */
    private interface PreviewReceiver {
        void accept(Facts prospect, TakeOver preview);
    }

    private void preview(@Nullable Path saDump, CompletableFuture<TakeOver> answer, PreviewReceiver receiver) {
        SaDump.@Nullable ConvertedDump dump;
        try {
            dump = saDump == null
                    ? null
                    : SaDump.readFor(saDump, settings.options().files().stateDir());
        } catch (ConfigurationException e) {
            answer.complete(TakeOver.refused(String.join("; ", e.problems())));
            return;
        }
        lifetime.execute(assembly -> {
            Facts prospect = facts(assembly, dump);
            if (!prospect.report().objection().isEmpty()) {
                answer.complete(prospect.report());
                return;
            }
            new FabricReader(assembly.client(), resources.sm(), resources.memory()).read(settings.names(), read -> {
                FabricSnapshot snapshot = read.snapshot();
                if (snapshot == null) {
                    answer.complete(prospect.report().withObjection("the fabric cannot be read: " + read.problem()));
                } else {
                    resources
                            .prechecks()
                            .execute(() ->
                                    guarded(answer, () -> receiver.accept(prospect, simulate(prospect, snapshot))));
                }
            });
        });
    }

    private <T> void guarded(CompletableFuture<T> answer, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException bug) {
            host.defects().accept(bug);
            answer.completeExceptionally(bug);
        }
    }

    private Facts facts(SmAssembly assembly, SaDump.@Nullable ConvertedDump dump) {
        Mastership state = assembly.mastership().state();
        SaContents contents = dump == null ? assembly.database().contents() : dump.contents();
        Optional<Integer> priority = IntStream.rangeClosed(state.priority(), MAX_PRIORITY)
                .filter(wanted -> rivals(state).noneMatch(other -> other.outranks(wanted, state.guid())))
                .boxed()
                .findFirst();
        RemoteSm master = state.master();
        TakeOver report = new TakeOver(
                "",
                objection(state, priority, isKeyHiddenFrom(master)),
                master != null ? master.toString() : state.shownState() == SmState.MASTER ? "this SM" : "nobody",
                priority.orElse(MAX_PRIORITY),
                contents.amounts(),
                dump == null ? List.of() : dump.leftOut(),
                null);
        return new Facts(report, dump == null ? null : dump.contents(), contents);
    }

    private static Stream<RemoteSm> rivals(Mastership state) {
        RemoteSm master = state.master();
        return Stream.concat(state.others().stream(), Stream.ofNullable(master))
                .filter(other -> other.state() != SmState.NOT_ACTIVE);
    }

    /** Checks whether this SM hides its SM_Key from a master. OpenSM hands over only to an SM that shows the SM_Key. */
    private boolean isKeyHiddenFrom(@Nullable RemoteSm master) {
        return master != null
                && !master.isProved()
                && !settings.options().mastership().trust().isKeyPublic();
    }

    private static String objection(Mastership state, Optional<Integer> priority, boolean isKeyHidden) {
        return switch (state.shownState()) {
            case MASTER -> "this SM is master already";
            case DISCOVERING ->
                state.peers().silent().stream()
                        .filter(SilentSm::isMaster)
                        .findFirst()
                        .map(sm -> "the master at port GUID " + Guid.format(sm.portGuid())
                                + " cannot be asked without the M_Key; list it in trusted_sm_guids, or stop it, and"
                                + " this SM takes over")
                        .orElse("this SM still looks for others; ask again in a moment");
            case NOT_ACTIVE ->
                "this SM is not active; remove sm_inactive from its configuration, or find in the log why it was disabled";
            case STANDBY ->
                isKeyHidden
                        ? "the master sees no sm_key of this SM, and would not hand over; list its port GUID in"
                                + " trusted_sm_guids, or stop it, and this SM takes over"
                        : priority.isPresent() ? "" : outrankedText(state);
        };
    }

    private static String outrankedText(Mastership state) {
        return "the SM with "
                + rivals(state)
                        .filter(other -> other.outranks(MAX_PRIORITY, state.guid()))
                        .findFirst()
                        .map(RemoteSm::toString)
                        .orElse("priority 15")
                + " ranks above every priority that this one can have; lower its sm_priority";
    }

    /** Tries the takeover on an embedded copy of the fabric, with the state with which this SM would start. */
    private TakeOver simulate(Facts prospect, FabricSnapshot snapshot) {
        try (StateCopy state = StateCopy.of(settings.options().files().stateDir(), prospect.initial())) {
            VirtualSm.Start defaults = VirtualSm.Start.of(settings.options());
            ShadowStudy study = ShadowStudy.of(
                    snapshot,
                    ShadowStudy.PathGrants.NOT_QUERIED,
                    new VirtualSm.Start(
                            defaults.options(), state::open, defaults.settings(), defaults.seeds(), defaults.pool()),
                    settings.names());
            TakeOver report = prospect.report();
            return new TakeOver(
                    "",
                    "",
                    report.master(),
                    report.priority(),
                    report.registrations(),
                    report.leftOut(),
                    study.takeover());
        } catch (IOException | UncheckedIOException e) {
            return prospect.report()
                    .withObjection("the state directory cannot be copied for a trial: " + e.getMessage());
        }
    }

    private void claim(SmAssembly assembly, Facts prospect, TakeOver preview, CompletableFuture<TakeOver> answer) {
        Mastership state = assembly.mastership().state();
        if (state.shownState() != SmState.STANDBY) {
            answer.complete(preview.withObjection("this SM is " + state.shownState() + " meanwhile; ask again"));
            return;
        }
        SaContents dumpContents = prospect.fromDump();
        if (dumpContents != null) {
            assembly.database().adopt(dumpContents);
        }
        int previousPriority = state.priority();
        EVENTS.report(
                SmEvent.TAKEOVER_ASKED, EventField.COUNT.of(preview.priority()), EventField.NAME.of(preview.master()));
        manager.reconfigure(settings.configured().withPriority(preview.priority()));
        await(
                () -> assembly.mastership().isMaster()
                        && assembly.sweeper().view() != null
                        && assembly.sweeper().isResting(),
                isDone -> {
                    if (isDone) {
                        answer.complete(preview.withOutcome("this SM is master; it keeps priority " + preview.priority()
                                + " until the configuration is read again: set sm_priority to at least that"));
                    } else {
                        giveUp(assembly, previousPriority, preview, answer);
                    }
                });
    }

    private void giveUp(
            SmAssembly assembly, int previousPriority, TakeOver preview, CompletableFuture<TakeOver> answer) {
        boolean isMaster = assembly.mastership().isMaster();
        String reason = isMaster
                ? "this SM is master, but its subnet is not up; see status and the log"
                : preview.master() + " did not hand over within " + TimeUnit.NANOSECONDS.toSeconds(HANDOVER_TIMEOUT_NS)
                        + " s; does it sweep, and has it the sm_key of this SM? Stop it, and this SM takes over";
        if (!isMaster) {
            manager.reconfigure(settings.configured().withPriority(previousPriority));
        }
        EVENTS.report(SmEvent.TAKEOVER_FAILED, EventField.REASON.of(reason));
        answer.complete(preview.withObjection(reason));
    }

    /** Checks a condition repeatedly on the loop, until it is true or {@link #HANDOVER_TIMEOUT_NS} have passed. */
    private void await(BooleanSupplier condition, Consumer<Boolean> then) {
        long deadlineNs = resources.sm().nowNs() + HANDOVER_TIMEOUT_NS;
        resources.sm().schedule(POLL_INTERVAL_NS, () -> poll(condition, deadlineNs, then));
    }

    private void poll(BooleanSupplier condition, long deadlineNs, Consumer<Boolean> then) {
        if (lifetime.running() == null || resources.sm().nowNs() >= deadlineNs) {
            then.accept(false);
        } else if (condition.getAsBoolean()) {
            then.accept(true);
        } else {
            resources.sm().schedule(POLL_INTERVAL_NS, () -> poll(condition, deadlineNs, then));
        }
    }

    // --- release ---

    /**
     * The data of a release, read on the loop at one moment.
     *
     * @param report report so far
     * @param openSmData data for OpenSM; null if the release is refused
     * @param directory directory of the files; null if the release is refused
     */
    private record Export(
            Release report,
            OpenSmFiles.@Nullable Legacy openSmData,
            @Nullable Path directory) {}

    @Override
    public CompletableFuture<Release> previewRelease() {
        CompletableFuture<Release> answer = new CompletableFuture<>();
        afterSweep(assembly -> answer.complete(export(assembly).report()));
        return answer;
    }

    @Override
    public CompletableFuture<Release> release() {
        CompletableFuture<Release> answer = new CompletableFuture<>();
        afterSweep(assembly -> {
            Export estate = export(assembly);
            Path directory = estate.directory();
            OpenSmFiles.Legacy legacy = estate.openSmData();
            if (directory == null || legacy == null) {
                answer.complete(estate.report());
            } else {
                resources
                        .prechecks()
                        .execute(() -> guarded(answer, () -> write(estate.report(), directory, legacy, answer)));
            }
        });
        return answer;
    }

    /** Sweeps first if this SM is master, since SMs of the subnet may have changed after the last sweep. */
    private void afterSweep(Consumer<SmAssembly> then) {
        lifetime.execute(assembly -> {
            if (assembly.mastership().isMaster()) {
                assembly.sweeper().awaitNext(false, end -> resources.sm().execute(() -> then.accept(assembly)));
                assembly.mastership().sweepHeavy();
            } else {
                then.accept(assembly);
            }
        });
    }

    private Export export(SmAssembly assembly) {
        Mastership state = assembly.mastership().state();
        Path stateDir = settings.options().files().stateDir();
        PublishedView view = assembly.sweeper().view();
        if (state.shownState() != SmState.MASTER || view == null) {
            return new Export(Release.refused("this SM is not master of a subnet that is up; see sms"), null, null);
        }
        if (stateDir == null) {
            return new Export(Release.refused("there is no state_dir for the files"), null, null);
        }
        Path directory = stateDir.resolve("opensm");
        Optional<RemoteSm> successor = state.others().stream()
                .filter(other -> other.state() == SmState.STANDBY)
                .reduce((a, b) -> b.outranks(a.priority(), a.guid()) ? b : a);
        Optional<Integer> priority =
                successor.flatMap(sm -> IntStream.iterate(state.priority(), each -> each >= 0, each -> each - 1)
                        .filter(each -> sm.outranks(each, state.guid()))
                        .boxed()
                        .findFirst());
        Release report = new Release(
                "",
                successor.isPresent() && priority.isEmpty()
                        ? "the SM that stands by, " + successor.get()
                                + ", would have to give back: raise its priority above 0"
                        : "",
                successor.map(RemoteSm::toString).orElse(""),
                priority.orElse(state.priority()),
                directory.toString(),
                List.of(),
                List.of());
        OpenSmFiles.Legacy legacy = new OpenSmFiles.Legacy(
                settings.options(),
                view.plan().engine(),
                assembly.database().contents(),
                new SubscriberLids(
                        view.subnet(),
                        assembly.database().registrations().aliases().vports()),
                view.subnet().vportLids(),
                stateDir,
                TimeUnit.MILLISECONDS.toSeconds(resources.sm().timeOfDay().toEpochMilli()));
        return new Export(report, legacy, directory);
    }

    /**
     * Writes the files, then hands over. The files lack later registrations. That does no harm, since hosts are
     * requested to register again.
     */
    private void write(Release report, Path directory, OpenSmFiles.Legacy legacy, CompletableFuture<Release> answer) {
        OpenSmFiles.WriteResult written;
        try {
            written = OpenSmFiles.write(directory, legacy);
        } catch (IOException e) {
            answer.complete(report.withObjection("cannot write to " + directory + ": " + e.getMessage()));
            return;
        }
        EVENTS.report(SmEvent.OPENSM_FILES_WRITTEN, EventField.FILE.of(directory));
        Release ready = report.withFiles(written.files(), written.leftOut());
        if (!ready.objection().isEmpty()) {
            answer.complete(ready);
        } else if (ready.successor().isEmpty()) {
            answer.complete(ready.withObjection(
                    "no other SM stands by" + missingGuidRemedy() + ". Start OpenSM with OSM_CACHE_DIR=" + directory
                            + " and -F " + directory.resolve(OpenSmFiles.CONF)
                            + ", and ask again; or stop this SM, and start OpenSM then"));
        } else {
            lifetime.execute(assembly -> handOver(assembly, ready, answer));
        }
    }

    /** Returns a remedy, in case a standby SM does not respond because it cannot have the M_Key; else empty. */
    private String missingGuidRemedy() {
        boolean isHidden = settings.options().sweep().mKey() != 0
                && settings.options().sweep().mKeyProtectBits() >= PortInfo.M_KEY_PROTECTS_GETS
                && settings.options().mastership().trust().trustedSmGuids().isEmpty();
        return isHidden ? ", or it cannot be asked without the M_Key: list its port GUID in trusted_sm_guids" : "";
    }

    private void handOver(SmAssembly assembly, Release ready, CompletableFuture<Release> answer) {
        manager.reconfigure(settings.configured().withPriority(ready.priority()));
        await(
                () -> assembly.mastership().state().shownState() == SmState.STANDBY,
                isDone -> answer.complete(
                        isDone
                                ? ready.withOutcome("handed over; this SM stands by with priority " + ready.priority()
                                        + " until the configuration is read again")
                                : ready.withObjection("it did not take over within "
                                        + TimeUnit.NANOSECONDS.toSeconds(HANDOVER_TIMEOUT_NS) + " s; see the log")));
    }
}
