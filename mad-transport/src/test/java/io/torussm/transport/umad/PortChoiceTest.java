package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.transport.TransportException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortChoiceTest {
    private static final PortDescription DOWN = new PortDescription("mlx5_0", 1, 0x11, 0, 1, "InfiniBand");
    private static final PortDescription INIT = new PortDescription("mlx5_0", 2, 0x12, 0, 2, "InfiniBand");
    private static final PortDescription ACTIVE = new PortDescription("mlx5_1", 1, 0x21, 7, 4, "InfiniBand");
    private static final PortDescription ROCE = new PortDescription("mlx5_2", 1, 0x31, 0, 4, "Ethernet");
    private static final List<PortDescription> ALL = List.of(ROCE, DOWN, INIT, ACTIVE);

    @Test
    void prefersAnActivePortThenALinkedOne() throws TransportException {
        assertThat(PortChoice.firstUsable().select(ALL)).isEqualTo(ACTIVE);
        assertThat(PortChoice.firstUsable().select(List.of(ROCE, DOWN, INIT))).isEqualTo(INIT);
        assertThat(PortChoice.byName("mlx5_0", 0).select(ALL)).isEqualTo(INIT);
    }

    @Test
    void keepsTheSystemsOrderAmongEquals() throws TransportException {
        PortDescription twin = new PortDescription("mlx5_9", 1, 0x91, 9, 4, "");
        assertThat(PortChoice.firstUsable().select(List.of(twin, ACTIVE))).isEqualTo(twin);
    }

    @Test
    void takesANamedPortWithoutALink() throws TransportException {
        assertThat(PortChoice.byGuid(0x11).select(ALL)).isEqualTo(DOWN);
        assertThat(PortChoice.byName("mlx5_0", 1).select(ALL)).isEqualTo(DOWN);
        assertThat(PortChoice.firstUsable().select(List.of(ROCE, DOWN))).isEqualTo(DOWN);
    }

    @Test
    void doesNotGuessBetweenPortsWithoutALink() {
        PortDescription other = new PortDescription("mlx5_0", 2, 0x12, 0, 1, "InfiniBand");
        assertThatThrownBy(() -> PortChoice.firstUsable().select(List.of(DOWN, other)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("check the cables")
                .hasMessageContaining("0x0000000000000012");
    }

    @Test
    void listsWhatThereIsWhenThePortDoesNotExist() {
        assertThatThrownBy(() -> PortChoice.byGuid(0x99).select(ALL))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no port with GUID 0x0000000000000099")
                .hasMessageContaining("mlx5_0 port 1, GUID 0x0000000000000011, LID 0, down")
                .hasMessageContaining("mlx5_1 port 1, GUID 0x0000000000000021, LID 7, active");
        assertThatThrownBy(() -> PortChoice.byName("mlx4_0", 2).select(ALL))
                .hasMessageContaining("no port 2 of channel adapter \"mlx4_0\"");
    }

    @Test
    void refusesEthernet() {
        assertThatThrownBy(() -> PortChoice.byGuid(0x31).select(ALL))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("link layer is InfiniBand")
                .hasMessageContaining("mlx5_2 port 1");
    }

    @Test
    void refusesPortNumbersThatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> PortChoice.byName("mlx5_0", 255));
    }
}
