package io.torussm.daemon.control;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The operations on a fabric that {@code torus-sm fabric} serves, for its console and its HTTP server. Any thread.
 */
public interface LabControl {
    /** Returns the state at one moment. */
    CompletionStage<State> state();

    /**
     * Executes a line of the console.
     *
     * @param user user who sent it
     */
    CompletionStage<Response> execute(String line, String user);

    /**
     * Begins a script of faults.
     *
     * @param name name for display
     * @param text lines of the script
     * @param user user who begins it
     * @return a failed response with the errors of the script, or a good one
     */
    CompletionStage<Response> begin(String name, String text, String user);

    /** Checks whether a line of the console only reads: it needs no permission to change the fabric. */
    boolean isReadOnly(String line);

    /**
     * A response.
     *
     * @param lines lines for display
     * @param isGood true if the request succeeded
     */
    record Response(List<String> lines, boolean isGood) {
        /** Copies the list. */
        public Response {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The state of a fabric at one moment.
     *
     * @param uptimeS seconds since power-up
     * @param switches number of switches
     * @param hosts number of hosts
     * @param broken active faults
     * @param coming next lines of running scripts, the soonest first, a limited number
     * @param done last executed lines, the newest last
     * @param clients programs at the ports of the fabric
     * @param traffic background traffic of the hosts
     * @param mads counters of the fabric by name
     * @param server counters of the server by name
     */
    record State(
            double uptimeS,
            int switches,
            int hosts,
            List<Broken> broken,
            List<Coming> coming,
            List<ExecutedLine> done,
            List<Client> clients,
            Traffic traffic,
            Map<String, Long> mads,
            Map<String, Long> server) {}

    /**
     * An active fault.
     *
     * @param kind class of faults, such as {@code cable}
     * @param subject affected device or cable
     * @param detail description; may be empty
     * @param sinceS seconds since it began
     */
    record Broken(String kind, String subject, String detail, double sinceS) {}

    /**
     * A line of a running script that is not executed yet.
     *
     * @param inS seconds until its execution
     * @param line text
     * @param where file and line number
     */
    record Coming(double inS, String line, String where) {}

    /**
     * A line that was executed or rejected.
     *
     * @param agoS seconds since then
     * @param who user or script
     * @param line text
     * @param isGood false if it was rejected
     * @param answer first line of the response
     */
    record ExecutedLine(double agoS, String who, String line, boolean isGood, String answer) {}

    /**
     * A program at a port.
     *
     * @param id number of the client
     * @param address address of its control socket
     * @param port node, and port number in brackets
     * @param portGuid PortGUID of that port
     * @param isSm whether it set IsSM
     * @param received MADs from it
     * @param sent MADs to it
     * @param dropped MADs to it that were lost because its queue was full
     * @param returned requests of it that ended without a response
     */
    record Client(
            int id,
            String address,
            String port,
            String portGuid,
            boolean isSm,
            long received,
            long sent,
            long dropped,
            long returned) {}

    /**
     * The background traffic, in which each host sends to all others.
     *
     * @param rate packets per second, 0 for none
     * @param sent packets that left a host
     * @param arrived packets that arrived at the port with their DLID
     * @param unsent packets that were not sent because an end was not ACTIVE or had no LID
     * @param lost lost packets by reason
     * @param last last lost packets
     */
    record Traffic(int rate, long sent, long arrived, long unsent, Map<String, Long> lost, List<LostPacket> last) {}

    /**
     * A packet that was lost.
     *
     * @param agoS seconds since then
     * @param reason reason for the loss
     * @param from source
     * @param dlid DLID of the packet
     * @param where device that dropped it
     */
    record LostPacket(double agoS, String reason, String from, int dlid, String where) {}
}
