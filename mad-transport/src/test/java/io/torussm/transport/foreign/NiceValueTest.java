package io.torussm.transport.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.NiceValues;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NiceValueTest {
    @Test
    void isRaisedForTheCallingThreadAlone() {
        int before = NiceValues.ofThisThread();
        CompletableFuture<Integer> inBackground = new CompletableFuture<>();
        new Thread(() -> {
                    NiceValue.raise(5);
                    inBackground.complete(NiceValues.ofThisThread());
                })
                .start();
        assertThat(inBackground.join()).isEqualTo(Math.min(19, before + 5));
        assertThat(NiceValues.ofThisThread()).isEqualTo(before);
    }
}
