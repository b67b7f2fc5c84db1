package io.torussm.transport.umad;

/**
 * Which port the SM shall use.
 *
 * @param caName name of the channel adapter, empty for any
 * @param portNum port of it, 0 for any
 * @param portGuid port GUID, 0 for any
 */
public record PortChoice(String caName, int portNum, long portGuid) {
    /** The first port whose link is up, else the first there is. */
    public static final PortChoice ANY = new PortChoice("", 0, 0);

    boolean admits(PortDescription port) {
        return (caName.isEmpty() || caName.equals(port.caName()))
                && (portNum == 0 || portNum == port.portNum())
                && (portGuid == 0 || portGuid == port.portGuid());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (!caName.isEmpty()) {
            text.append(" of CA ").append(caName);
        }
        if (portNum != 0) {
            text.append(" with number ").append(portNum);
        }
        if (portGuid != 0) {
            text.append(" with GUID ").append(io.torussm.mad.Guid.format(portGuid));
        }
        return "port" + text;
    }
}
