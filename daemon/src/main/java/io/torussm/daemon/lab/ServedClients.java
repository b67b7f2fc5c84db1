package io.torussm.daemon.lab;

import io.torussm.mad.Guid;
import io.torussm.sim.fault.Clients;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ServedClientInfo;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The clients of a server, in the format of ibsim's console. Owner thread: the loop of the fabric. */
final class ServedClients implements Clients {
    private static final Pattern PROCESS = Pattern.compile(".*:ctl(\\d+)\\W*");

    private final FabricServer server;

    ServedClients(FabricServer server) {
        this.server = server;
    }

    @Override
    public List<String> attached() {
        return server.clients().stream().map(ServedClients::text).toList();
    }

    private static String text(ServedClientInfo client) {
        Matcher process = PROCESS.matcher(client.address());
        return "Client " + client.id() + ": "
                + (process.matches() ? "pid " + process.group(1) : client.address()) + " connected at "
                + client.port() + " port " + Guid.format(client.portGuid()) + ", " + client.received()
                + " MADs received, " + client.sent() + " sent, " + client.dropped() + " dropped, " + client.returned()
                + " returned " + (client.isSm() ? "SM" : "");
    }

    @Override
    public boolean disconnect(int number) {
        return server.disconnect(number);
    }
}
