package io.torussm.transport.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.ScriptedTransport;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Frames that a read-only port accepts or refuses. */
class ReadOnlyPortTest {
    private final ScriptedTransport inner = new ScriptedTransport();
    private final ReadOnlyPort port = new ReadOnlyPort(inner);

    private boolean send(byte[] mad) {
        return port.send(new MadFrame(MadAddress.DIRECTED, mad), 100);
    }

    @Test
    void sendsOnlyWholeGets() {
        byte[] get = MadHeader.create(MgmtClass.SUBN_DIRECTED_ROUTE, 1, Method.GET, 1, NodeInfo.TYPE.id(), 0);
        assertThat(send(get)).isTrue();
        assertThat(send(Arrays.copyOf(get, MadHeader.MAD_SIZE - 1))).isFalse();
        assertThat(send(Arrays.copyOf(get, MadHeader.MAD_SIZE + 1))).isFalse();
        assertThat(send(MadHeader.create(MgmtClass.SUBN_DIRECTED_ROUTE, 1, Method.SET, 1, NodeInfo.TYPE.id(), 0)))
                .isFalse();
        assertThat(inner.sent).hasSize(1);
        assertThat(port.refused()).isEqualTo(3);
    }
}
