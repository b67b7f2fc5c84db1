package io.torussm.daemon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop of Netty with its real thread: order of tasks, exceptions, and its end. */
@Timeout(120)
class NettyLoopTest {
    @Test
    void runsTasksInOrderOnOneNamedThread() throws Exception {
        List<String> seen = new ArrayList<>();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        try (NettyLoop loop = new NettyLoop("sm", new Defects())) {
            for (int i = 0; i < 100; i++) {
                String name = Integer.toString(i);
                loop.execute(() -> seen.add(name));
            }
            loop.execute(() -> done.complete(
                    loop.isInLoop() && Thread.currentThread().getName().startsWith("sm")));
            assertThat(done.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.isInLoop()).isFalse();
        }
        assertThat(seen).hasSize(100).startsWith("0", "1", "2");
    }

    @Test
    void outlivesTasksThatThrowAndCountsThem() throws Exception {
        Defects defects = new Defects();
        CountDownLatch after = new CountDownLatch(1);
        try (NettyLoop loop = new NettyLoop("sm", defects)) {
            loop.execute(() -> {
                throw new IllegalStateException("a defect made for this test");
            });
            loop.schedule(1, () -> {
                throw new AssertionError("a defect made for this test");
            });
            loop.schedule(TimeUnit.MILLISECONDS.toNanos(1), after::countDown);
            assertThat(after.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(defects.count()).isEqualTo(2);
    }

    /** Without memory the report of a defect may fail as well. */
    @Test
    void outlivesAHandlerThatThrowsItself() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        BlockingQueue<Throwable> escalated = new LinkedBlockingQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> escalated.add(thrown));
        CountDownLatch after = new CountDownLatch(1);
        Error fatal = new OutOfMemoryError("provoked by the handler");
        try (NettyLoop loop = new NettyLoop("sm", defect -> {
            throw fatal;
        })) {
            loop.execute(() -> {
                throw new IllegalStateException("a defect made for this test");
            });
            loop.execute(after::countDown);
            assertThat(after.await(60, TimeUnit.SECONDS)).as("the loop goes on").isTrue();
            assertThat(escalated.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /** If the process ends while a thread routes, the result has no receiver. */
    @Test
    void dropsWorkAfterItsEnd() {
        List<String> seen = new ArrayList<>();
        NettyLoop loop = new NettyLoop("sm", new Defects());
        loop.close();
        loop.execute(() -> seen.add("never"));
        loop.schedule(1, () -> seen.add("never")).cancel();
        assertThat(seen).isEmpty();
    }

    @Test
    void forgetsCancelledTasks() {
        List<String> seen = new ArrayList<>();
        try (NettyLoop loop = new NettyLoop("sm", new Defects())) {
            loop.schedule(TimeUnit.HOURS.toNanos(1), () -> seen.add("never")).cancel();
        }
        assertThat(seen).isEmpty();
    }
}
