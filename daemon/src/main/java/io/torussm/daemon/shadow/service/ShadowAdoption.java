package io.torussm.daemon.shadow.service;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.control.Adoption;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.opensm.SaDump;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.Loop;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The change of a shadow to a master SM. The preview is the last report of the shadow. To take over, the process
 * continues as a standby SM, which becomes master after another discovery. Thread-safe.
 */
final class ShadowAdoption implements Adoption {
    private static final EventLog EVENTS = EventLog.of(ShadowAdoption.class);

    /** Time from the response to the operator to the end of the console. */
    private static final long CONSOLE_CLOSE_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final SmControl control;
    private final SubnetManagerService.Host host;
    private final Loop loop;
    private final @Nullable Path stateDir;

    /** Future of the last takeover by the standby SM; completed before the first one. */
    private volatile CompletableFuture<Void> takeover = CompletableFuture.completedFuture(null);

    ShadowAdoption(SmControl control, SubnetManagerService.Host host, Loop loop, @Nullable Path stateDir) {
        this.control = control;
        this.host = host;
        this.loop = loop;
        this.stateDir = stateDir;
    }

    @Override
    public CompletableFuture<TakeOver> previewTakeOver(@Nullable Path saDump) {
        return CompletableFuture.completedFuture(preview(saDump));
    }

    private TakeOver preview(@Nullable Path saDump) {
        ShadowReport report = control.shadow();
        if (report == null) {
            return TakeOver.refused("the fabric is being read for the first time; ask again later");
        }
        try {
            SaDump.@Nullable ConvertedDump dump = saDump == null ? null : SaDump.readFor(saDump, stateDir);
            return new TakeOver(
                    "",
                    "",
                    report.managers().stream().map(ShadowReport.Manager::text).collect(Collectors.joining("; ")),
                    0,
                    dump == null
                            ? List.of("what state_dir has")
                            : dump.contents().amounts(),
                    dump == null ? List.of() : dump.leftOut(),
                    report.takeover());
        } catch (ConfigurationException e) {
            return TakeOver.refused(String.join("; ", e.problems()));
        }
    }

    @Override
    public CompletableFuture<TakeOver> takeOver(@Nullable Path saDump, boolean mayChange) {
        TakeOver seen = takeover.isDone() ? preview(saDump) : TakeOver.refused("that is under way; see the log");
        if (!seen.objection().isEmpty()) {
            return CompletableFuture.completedFuture(seen);
        }
        if (seen.changes() != 0 && !mayChange) {
            return CompletableFuture.completedFuture(
                    seen.withObjection("entries would change; changes yes takes over nevertheless"));
        }
        loop.schedule(CONSOLE_CLOSE_DELAY_NS, () -> host.leaveShadow(sm -> startTakeover(sm, saDump, mayChange)));
        return CompletableFuture.completedFuture(
                seen.withOutcome(
                        "this process stands by from now on, and takes over then; torus-smctl sms shows it, and the log why not"));
    }

    /** Starts the takeover by the standby SM. An objection is logged, because the console of the operator has ended. */
    private void startTakeover(SmControl sm, @Nullable Path saDump, boolean mayChange) {
        takeover = sm.adoption().takeOver(saDump, mayChange).thenAccept(end -> {
            if (!end.objection().isEmpty()) {
                EVENTS.report(SmEvent.TAKEOVER_FAILED, EventField.REASON.of(end.objection()));
            }
        });
    }

    @Override
    public CompletableFuture<Release> previewRelease() {
        return CompletableFuture.completedFuture(Release.refused("this process only looks, and rules nothing"));
    }

    @Override
    public CompletableFuture<Release> release() {
        return previewRelease();
    }
}
