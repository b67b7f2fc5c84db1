package io.torussm.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The text of a fabric with a switch, a channel adapter and a router, in the format of ibnetdiscover. */
class IbNetDiscoverFormatTest {
    private final FabricBuilder builder = new FabricBuilder();

    @Test
    void writesWhatIbnetdiscoverWouldPrint() throws IOException {
        addNode(NodeInfo.CHANNEL_ADAPTER, 0x1_0000_0000L, 0x1_0000_0001L, 2, "host \"one\"\n");
        addNode(NodeInfo.SWITCH, 0x200000, 0x200000, 4, "spine");
        addNode(NodeInfo.ROUTER, 0x300000, 0x300001, 1, "exit");
        builder.setSwitchInfo(0x200000, SwitchInfo.TYPE.zero().with(SwitchInfo.ENHANCED_PORT0, 1));
        builder.setPortInfo(0x200000, 0, PortInfo.TYPE.zero().with(PortInfo.LID, 7));
        builder.setPortInfo(0x200000, 3, rate(2, 4, 2));
        builder.setPortInfo(0x200000, 4, rate(8, 2, 0));
        builder.setPortInfo(
                0x1_0000_0000L, 1, rate(2, 4, 2).with(PortInfo.LID, 3).with(PortInfo.LMC, 1));
        builder.link(0x1_0000_0000L, 1, 0x200000, 3);
        builder.link(0x200000, 4, 0x300000, 1);

        StringBuilder text = new StringBuilder();
        IbNetDiscoverFormat.write(builder.build(), text);

        assertThat(text.toString()).endsWith("\n");
        assertThat(text.toString().lines())
                .containsExactly(
                        "#",
                        "# Initiated from node 0000000100000000 port 0000000100000001",
                        "#",
                        "",
                        "vendid=0x2c9",
                        "devid=0xbd36",
                        "sysimgguid=0x200000",
                        "switchguid=0x200000(200000)",
                        "Switch\t4 \"S-0000000000200000\"\t\t# \"spine\" enhanced port 0 lid 7 lmc 0",
                        "[3]\t\"H-0000000100000000\"[1](100000001)\t\t# \"host 'one' \" lid 3 4xEDR",
                        "[4]\t\"R-0000000000300000\"[1](300001)\t\t# \"exit\" lid 0 12xDDR",
                        "",
                        "vendid=0x2c9",
                        "devid=0xbd36",
                        "sysimgguid=0x300000",
                        "rtguid=0x300000",
                        "Rt\t1 \"R-0000000000300000\"\t\t# \"exit\"",
                        "[1](300001)\t\"S-0000000000200000\"[4]\t\t# lid 0 lmc 0 \"spine\" lid 7",
                        "",
                        "vendid=0x2c9",
                        "devid=0xbd36",
                        "sysimgguid=0x100000000",
                        "caguid=0x100000000",
                        "Ca\t2 \"H-0000000100000000\"\t\t# \"host 'one' \"",
                        "[1](100000001)\t\"S-0000000000200000\"[3]\t\t# lid 3 lmc 1 \"spine\" lid 7 4xEDR");
    }

    private void addNode(int type, long guid, long portGuid, int ports, String description) {
        builder.addNode(
                NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, type)
                        .with(NodeInfo.NUM_PORTS, ports)
                        .with(NodeInfo.SYSTEM_IMAGE_GUID, guid)
                        .with(NodeInfo.NODE_GUID, guid)
                        .with(NodeInfo.PORT_GUID, portGuid)
                        .with(NodeInfo.VENDOR_ID, 0x2c9)
                        .with(NodeInfo.DEVICE_ID, 0xbd36)
                        .with(NodeInfo.LOCAL_PORT_NUM, 1),
                DrPath.LOCAL);
        builder.setDescription(guid, description);
    }

    private static PortInfo rate(int width, int speed, int extended) {
        return PortInfo.TYPE
                .zero()
                .with(PortInfo.LINK_WIDTH_ACTIVE, width)
                .with(PortInfo.LINK_SPEED_ACTIVE, speed)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE, extended);
    }
}
