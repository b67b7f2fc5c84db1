package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.system.Defects;
import io.torussm.event.SmEvent;
import io.torussm.state.DirectoryLock;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.NiceValues;
import io.torussm.transport.foreign.NiceValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The release of the resources of an SM. */
@Timeout(60)
class SmResourcesTest {
    @TempDir
    Path dir;

    /** Cut off between its parts, a computation would report that as a defect. */
    @Test
    void computationsUnderWayRunToTheirEnd() throws Exception {
        for (Function<SmResources, ForkJoinPool> pool :
                List.<Function<SmResources, ForkJoinPool>>of(SmResources::pool, SmResources::prechecks)) {
            SmResources resources = new SmResources(
                    new LiveSettings(ServiceHarness.options(dir, Map.of(Settings.SIMULATE, "torus:4x3x1,hosts=1"))),
                    new Defects(),
                    SubnetManager.REAL);
            CountDownLatch hasBegun = new CountDownLatch(1);
            CountDownLatch isClosed = new CountDownLatch(1);
            Future<?> computation = pool.apply(resources)
                    .submit(() -> IntStream.range(0, 64).parallel().forEach(part -> {
                        hasBegun.countDown();
                        await(isClosed);
                    }));
            hasBegun.await();
            resources.close();
            isClosed.countDown();
            assertThatCode(() -> computation.get(30, TimeUnit.SECONDS)).doesNotThrowAnyException();
        }
    }

    /** The directory may be on a server that does not respond, or be in use by another SM. */
    @Test
    void theStateDirectoryIsNamedBeforeItIsOpened() throws Exception {
        LiveSettings settings = new LiveSettings(ServiceHarness.options(
                dir, Map.of(Settings.SIMULATE, "torus:4x3x1,hosts=1", Settings.STATE_DIR, dir.toString())));
        DirectoryLock other = DirectoryLock.acquire(dir);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            assertThatThrownBy(() -> new SmResources(settings, new Defects(), SubnetManager.REAL))
                    .isInstanceOf(ConfigurationException.class);
            assertThat(log.only(SmEvent.OPENING).names("state_dir " + dir)).isTrue();
        } finally {
            other.close();
        }
    }

    /** A file that cannot be used is found after the directory is locked. */
    @Test
    void aFailedStartLeavesTheStateDirectoryFree() throws Exception {
        Path partitions = Files.writeString(dir.resolve("partitions.conf"), "no partition\n");
        Path state = Files.createDirectory(dir.resolve("state"));
        LiveSettings settings = new LiveSettings(ServiceHarness.options(
                dir,
                Map.of(
                        Settings.SIMULATE,
                        "torus:4x3x1,hosts=1",
                        Settings.STATE_DIR,
                        state.toString(),
                        Settings.PARTITION_CONFIG_FILE,
                        partitions.toString())));
        assertThatThrownBy(() -> new SmResources(settings, new Defects(), SubnetManager.REAL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("partition");
        assertThat(state.resolve("lock")).exists();
        DirectoryLock.acquire(state).close();
    }

    /** On two cores, the thread that responds to hosts would wait for precomputation. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void workWithoutAWaiterLetsAllOthersGoFirst() throws Exception {
        int defaultValue = NiceValues.ofThisThread();
        int background = Math.min(19, defaultValue + NiceValue.BACKGROUND);
        try (SmResources resources = new SmResources(
                new LiveSettings(ServiceHarness.options(dir, Map.of(Settings.SIMULATE, "torus:4x3x1,hosts=1"))),
                new Defects(),
                SubnetManager.REAL)) {
            assertThat(niceOf(resources.prechecks())).isEqualTo(background);
            assertThat(niceOf(resources.platform().perf()::execute)).isEqualTo(background);
            assertThat(niceOf(resources.pool())).isEqualTo(defaultValue);
            assertThat(niceOf(resources.sm()::execute)).isEqualTo(defaultValue);
        }
    }

    private static int niceOf(Executor thread) {
        return CompletableFuture.supplyAsync(NiceValues::ofThisThread, thread).join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
