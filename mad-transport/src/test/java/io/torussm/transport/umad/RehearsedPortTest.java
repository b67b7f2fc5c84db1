package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsedPortTest {
    @Test
    void sentMadsComeBack() throws Exception {
        assertThat(RehearsedPort.rehearse()).isTrue();
    }
}
