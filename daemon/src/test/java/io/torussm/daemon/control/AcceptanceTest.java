package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The report of a server that cannot accept clients, and of the end of that state. An embedded channel of Netty is the
 * server.
 */
class AcceptanceTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @Test
    void reportsTheBeginAndTheEndOnceAndLeavesNothingToNetty() {
        EmbeddedChannel server = new EmbeddedChannel();
        AtomicInteger calls = new AtomicInteger();
        Acceptance.watch(server, calls::incrementAndGet);
        server.writeInbound("a client");
        for (int i = 0; i < 3; i++) {
            server.pipeline().fireExceptionCaught(new IOException("Too many open files"));
        }
        server.checkException(); // what reached the end of the pipeline, and would be logged with its stack
        assertThat(log.only(SmEvent.CLIENT_NOT_ACCEPTED).names("Too many open files"))
                .isTrue();
        server.writeInbound("a client", "another");
        assertThat(log.of(SmEvent.CLIENTS_ACCEPTED)).hasSize(1);
        assertThat(server.inboundMessages()).hasSize(3);
        assertThat(calls).as("room is made each time").hasValue(3);
    }
}
