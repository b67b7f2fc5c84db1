package io.torussm.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
    private static final List<String> NODES = List.of("sw-0-0-0", "sw-1-1-0", "host-0-0-0-0", "host-0-0-0-1");

    @Test
    void whatBeginsWithTheWordIsLikeIt() {
        assertThat(Spelling.like("host-0-0", NODES)).contains("host-0-0-0-0");
        assertThat(Spelling.like("host", NODES)).contains("host-0-0-0-0");
        assertThat(Spelling.like("1-1-0", NODES)).contains("sw-1-1-0");
    }

    @Test
    void aSlipIsLikeIt() {
        assertThat(Spelling.like("sw-1-1-9", NODES))
                .hasValueSatisfying(like -> assertThat(like).startsWith("sw-"));
        assertThat(Spelling.like("HOST_0_0_0_1", NODES)).contains("host-0-0-0-1");
    }

    @Test
    void nothingIsProposedForAWordThatIsLikeNone() {
        assertThat(Spelling.like("nosuch", NODES)).isEmpty();
        assertThat(Spelling.like("", NODES)).isEmpty();
        assertThat(Spelling.like("x", List.of())).isEmpty();
    }
}
