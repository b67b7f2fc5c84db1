package io.torussm.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
    private static final List<String> NODES = List.of("sw-0-0-0", "sw-1-1-0", "host-0-0-0-0", "host-0-0-0-1");

    @Test
    void aTextThatBeginsWithTheWordMatches() {
        assertThat(Spelling.suggestions("host-0-0", NODES)).contains("host-0-0-0-0");
        assertThat(Spelling.suggestions("host", NODES)).contains("host-0-0-0-0");
        assertThat(Spelling.suggestions("1-1-0", NODES)).contains("sw-1-1-0");
    }

    @Test
    void aSlipIsLikeIt() {
        assertThat(Spelling.suggestions("sw-1-1-9", NODES)).isNotEmpty().allMatch(like -> like.startsWith("sw-"));
        assertThat(Spelling.suggestions("HOST_0_0_0_1", NODES)).contains("host-0-0-0-1");
    }

    @Test
    void exchangedNeighboursAreOneSlip() {
        assertThat(Spelling.suggestions("plna", List.of("path", "plan", "prove")))
                .containsExactly("plan");
        assertThat(Spelling.nearest("ftere", List.of("free", "ftree"))).isEqualTo("ftree");
    }

    @Test
    void noProposalIsMadeForAWordWithoutASimilarOne() {
        assertThat(Spelling.suggestions("nosuch", NODES)).isEmpty();
        assertThat(Spelling.suggestions("", NODES)).isEmpty();
        assertThat(Spelling.suggestions("x", List.of())).isEmpty();
    }

    @Test
    void severalThatAreAsLikeAreAllNamed() {
        assertThat(Spelling.suggestions("host-0-0", NODES)).allMatch(like -> like.startsWith("host-0-0"));
        assertThat(Spelling.suggestions("leaf-3", List.of("leaf-1", "leaf-2", "spine-1")))
                .containsExactly("leaf-1", "leaf-2");
        assertThat(Spelling.suggestions("lea", List.of("leaf-10", "leaf-2", "spine")))
                .containsExactly("leaf-2", "leaf-10");
    }

    @Test
    void aPatternShowsItsMatches() {
        List<String> known = List.of("leaf-1", "leaf-20", "spine-1");
        assertThat(Spelling.suggestions("leaf-*", known)).containsExactly("leaf-1", "leaf-20");
        assertThat(Spelling.suggestions("LEAF-?", known)).containsExactly("leaf-1");
        assertThat(Spelling.suggestions("*-1", known)).containsExactly("leaf-1", "spine-1");
        assertThat(Spelling.suggestions("l*f*0", known)).containsExactly("leaf-20");
        assertThat(Spelling.suggestions("leaf-?*?", known)).containsExactly("leaf-20");
        assertThat(Spelling.suggestions("leaf-[1]*", known)).isEmpty();
    }

    @Test
    void aHostilePatternTakesNoTime() {
        assertThat(Spelling.isMatch("*a".repeat(30) + "b", "a".repeat(64))).isFalse();
    }
}
