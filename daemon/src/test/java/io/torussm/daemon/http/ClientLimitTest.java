package io.torussm.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientLimitTest {
    /** So that whoever asks for the health of the SM is accepted when silent clients hold all file descriptors. */
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
        limit.makeRoom();
        assertThat(clients).extracting(Channel::isOpen).containsExactly(false, true, false, false, true);
        limit.makeRoom();
        limit.makeRoom();
        limit.makeRoom();
        assertThat(clients).noneMatch(Channel::isOpen);
    }
}
