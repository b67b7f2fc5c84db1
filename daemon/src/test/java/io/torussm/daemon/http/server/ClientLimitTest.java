package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The limit of connections to a server. Here it is ten, and five clients are connected, one of which is being answered.
 */
class ClientLimitTest {
    /** A health check must be accepted although silent clients hold all file descriptors. */
    @Test
    void halfOfTheClientsMakeRoomTheFirstThatAreNotBeingAnswered() {
        ClientLimit limit = new ClientLimit(10);
        List<EmbeddedChannel> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            EmbeddedChannel client = new EmbeddedChannel();
            boolean isBusy = i == 1;
            clients.add(client);
            limit.admit(client, () -> isBusy);
        }
        limit.closeHalf();
        assertThat(clients).extracting(Channel::isOpen).containsExactly(false, true, false, false, true);
        limit.closeHalf();
        limit.closeHalf();
        limit.closeHalf();
        assertThat(clients).noneMatch(Channel::isOpen);
    }
}
