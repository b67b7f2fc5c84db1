package io.torussm.daemon.console.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The limit of clients that no user can use up for other users. Here it is four clients. */
class ClientSharesTest {
    private final ClientShares shares = new ClientShares(4);
    private final Set<String> inUse = new HashSet<>();
    private final List<String> ended = new ArrayList<>();

    @Test
    void theOldestIdleClientMakesRoom() {
        fill("guest");
        inUse.add("guest0");
        assertThat(add("root", "root")).isTrue();
        assertThat(add("guest4", "guest")).isTrue();
        assertThat(ended).containsExactly("guest1", "guest2");
    }

    /** Until both users have as many. */
    @Test
    void aUserWithMostLosesClientsInUseToAnother() {
        fill("guest");
        inUse.addAll(Set.of("guest0", "guest1", "guest2", "guest3", "root0", "root1"));
        assertThat(add("root0", "root")).isTrue();
        assertThat(add("root1", "root")).isTrue();
        assertThat(ended).containsExactly("guest0", "guest1");
        assertThat(add("root2", "root")).isFalse();
        assertThat(add("guest4", "guest")).isFalse();
    }

    @Test
    void aClientThatLeavesMakesRoom() {
        fill("guest");
        inUse.addAll(Set.of("guest0", "guest1", "guest2", "guest3"));
        assertThat(add("guest4", "guest")).isFalse();
        shares.remove("guest2");
        assertThat(add("guest4", "guest")).isTrue();
        assertThat(ended).isEmpty();
    }

    private boolean add(String client, String user) {
        return shares.add(client, user, () -> inUse.contains(client), () -> ended.add(client));
    }

    /** Adds four clients of a user, {@code USER0} to {@code USER3}. */
    private void fill(String user) {
        for (int i = 0; i < 4; i++) {
            assertThat(add(user + i, user)).isTrue();
        }
    }
}
