package io.torussm.daemon.lab;

import io.torussm.mad.Guid;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ServedClientInfo;
import java.util.Locale;
import java.util.stream.Collectors;

/** The words about clients: {@code connections} and {@code disconnect ID}. */
final class ClientsConsole implements LabConsole {
    private final FabricServer server;

    ClientsConsole(FabricServer server) {
        this.server = server;
    }

    @Override
    public String say(String line) {
        String[] words = line.trim().split("\\s+");
        return switch (words[0].toLowerCase(Locale.ROOT)) {
            case "connections" -> connections();
            case "disconnect" -> words.length == 2 ? disconnect(words[1]) : "usage: disconnect ID";
            default -> "unknown word \"" + words[0] + "\"; there are connections, disconnect ID, quit";
        };
    }

    private String connections() {
        return server.clients().stream().map(ClientsConsole::text).collect(Collectors.joining("\n"));
    }

    private static String text(ServedClientInfo client) {
        return "Client " + client.id() + ": " + client.address() + " connected at " + client.port() + " port "
                + Guid.format(client.portGuid()) + (client.isSm() ? " SM" : "") + ", " + client.received()
                + " MADs received, " + client.sent() + " sent, " + client.dropped() + " dropped, "
                + client.returned() + " returned";
    }

    private String disconnect(String id) {
        boolean isDone = id.matches("\\d{1,6}") && server.disconnect(Integer.parseInt(id));
        return isDone ? "" : "no client has ID " + id;
    }
}
