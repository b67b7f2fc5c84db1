package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandleUsersTest {
    private final HandleUsers users = new HandleUsers();

    @Test
    void noUseBeginsAfterTheClose() {
        assertThat(users.begin()).isTrue();
        users.end();
        assertThat(users.close(0)).isTrue();
        assertThat(users.begin()).isFalse();
        assertThat(users.begin()).isFalse();
    }

    @Test
    void aUserKeepsItFromBeingGivenAway() {
        assertThat(users.begin()).isTrue();
        assertThat(users.close(1)).isFalse();
        assertThat(users.begin()).isFalse();
        users.end();
    }

    @Test
    void aCloserWaitsForTheLastUser() throws InterruptedException {
        assertThat(users.begin()).isTrue();
        boolean[] isUnused = new boolean[1];
        Thread closer = new Thread(() -> isUnused[0] = users.close(60_000));
        closer.start();
        while (users.begin()) {
            users.end();
            Thread.onSpinWait();
        }
        users.end();
        closer.join();
        assertThat(isUnused[0]).isTrue();
    }
}
