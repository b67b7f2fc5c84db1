package io.torussm.event;

import static io.torussm.event.EventClearing.BY_QUIET;
import static io.torussm.event.EventClearing.BY_RESTART;
import static io.torussm.event.EventClearing.BY_SWEEP;
import static io.torussm.event.EventClearing.OCCURRENCE;
import static io.torussm.event.Finding.Severity.ERROR;
import static io.torussm.event.Finding.Severity.INFO;
import static io.torussm.event.Finding.Severity.WARNING;

import io.torussm.event.EventField.Value;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of events, grouped by the thousands of their codes; a code is never used again. An entry is a text with
 * fields in braces, then the meaning and, after "Remedy:", the action. Source of docs/operator/events-reference.md.
 */
@SuppressWarnings("ImmutableEnumChecker") // the template and the set of fields cannot be changed
public enum SmEvent {
    // ---- The process, its configuration and its interfaces
    STARTED_ON_PORT(1001, INFO, """
            port {port} of {device}, GUID {guid}
            The SM opened its local port."""),
    ENDING(1002, INFO, """
            ending: {reason}
            The SM ends normally."""),
    DEFECT(1003, ERROR, OCCURRENCE, """
            defect {count} of this program, on thread {thread}: {reason}
            An unexpected exception. Remedy: Report it with the stack trace."""),
    TASK_DROPPED(1004, WARNING, OCCURRENCE, """
            dropped an event, {count} are waiting: {name}
            Dumps take longer than sweeps. Remedy: Use a faster disk for dump_files_dir, or switch dumps off."""),
    SIGNAL_NOT_HANDLED(1005, WARNING, BY_RESTART, """
            SIG{name} cannot be handled on this JVM and keeps its default action: {reason}
            The JVM has no sun.misc.Signal. Remedy: Use OpenJDK."""),
    SLOW_END(1006, INFO, """
            the current sweep did not end in time; the port is closed nevertheless
            A device was slow while the SM ended. The next master sweeps the whole fabric."""),
    NOTIFY_UNUSABLE(1007, ERROR, BY_RESTART, """
            the service manager is not notified: {reason} (NOTIFY_SOCKET)
            systemd will end the service because READY is missing. Remedy: Check NotifyAccess=, and whether JAVA_OPTS forks."""),
    NOTIFY_FAILED(1008, WARNING, OCCURRENCE, """
            the service manager could not be notified: {reason}
            The next message has the same content. Remedy: Check NotifyAccess= if it happens again."""),
    HALTED(1009, ERROR, OCCURRENCE, """
            this process ends immediately: {reason}
            The memory of the JVM cannot be trusted, or the normal end hangs. Remedy: Give the process more memory (JAVA_OPTS), or \
            report it with the stack trace. systemd starts the SM again."""),
    FEW_DESCRIPTORS(1010, WARNING, BY_RESTART, """
            this process may open {count} files and connections only, which may not be enough
            Clients and state files need descriptors. Remedy: Allow 1024 (ulimit -n, or LimitNOFILE in the unit)."""),
    CONFIGURATION_READ(1101, INFO, """
            configuration read again
            The SM received SIGHUP, and the files have no errors."""),
    CONFIGURATION_ERROR(1102, ERROR, OCCURRENCE, """
            {text}
            A setting, or a file that it names, is wrong. Remedy: Correct the line that is named; torus-sm --check-config shows all errors."""),
    CONFIGURATION_KEPT(1103, ERROR, """
            the previous configuration stays active
            After SIGHUP, a file cannot be used. Cleared by TSM-1101. Remedy: Correct the listed errors, and reload."""),
    SWEEPS_FOR_LEASE(1104, WARNING, OCCURRENCE, """
            light sweeps come every {milliseconds} ms instead of every sweep_interval, so that no M_Key lease runs out (m_key_lease_period)
            m_key_lease_period is short. Remedy: Lengthen the lease, or leave it."""),
    LOG_LEVEL_CHANGED(1105, INFO, """
            log level {level}, set on the console
            An operator used the command loglevel."""),
    LOG_REOPENED(1106, INFO, """
            log file {file} reopened
            The SM received SIGUSR1, as logrotate sends it."""),
    LOG_NOT_REOPENED(1107, ERROR, OCCURRENCE, """
            log file {file} cannot be reopened, and the previous one stays in use: {reason}
            The new file cannot be created. Remedy: Let logrotate create the file for user torus-sm."""),
    DUMP_FAILED(1108, ERROR, OCCURRENCE, """
            tables could not be dumped to {file}: {reason}; see dump_files_dir
            The directory is missing or cannot be written. Remedy: Create the directory; under systemd add it to ReadWritePaths=."""),
    CONFIGURATION_WARNING(1109, WARNING, OCCURRENCE, """
            {text}
            A setting has an old name. Remedy: Use the new name."""),
    SETTINGS_CHANGED(1110, INFO, """
            settings changed, {text}
            After SIGHUP, these values are effective immediately or with the next sweep."""),
    SETTINGS_WAITING(1111, WARNING, BY_RESTART, """
            settings changed that take effect {text}
            These settings are read at the start only. Remedy: Restart the service."""),
    PARTITIONS_HELD(1120, ERROR, """
            {text}
            partitions.conf would change the P_Keys of more end ports than max_partition_change allows. Cleared by TSM-7006. \
            Remedy: Run torus-smctl partitions preview; if the change is intended, run torus-smctl partitions apply."""),
    NAMES_ERROR(1121, ERROR, OCCURRENCE, """
            {text}
            The node name map or the site map cannot be used. Remedy: Correct the line, and run torus-smctl sweep."""),
    NAMES_WARNING(1122, WARNING, OCCURRENCE, """
            {text}
            A line of the node name map probably does not have the intended effect. Remedy: Correct the line."""),
    NODE_NAMES_KEPT(1123, ERROR, """
            {count} nodes keep their previous names; correct the node name map, and request a sweep
            The node name map has errors. Cleared by TSM-1124. Remedy: Correct it, and run torus-smctl sweep."""),
    NODE_NAMES_TAKEN(1124, INFO, """
            the node name map is used again
            Ends TSM-1123."""),
    SITE_MAP_KEPT(1125, ERROR, """
            racks and labels of cables stay as they were in {file}; correct the site map, and request a sweep
            The site map has errors. Cleared by TSM-1126. Remedy: Correct it, and run torus-smctl sweep."""),
    SITE_MAP_TAKEN(1126, INFO, """
            the site map is used again
            Ends TSM-1125."""),
    RUN_TIME_CHANGE(1127, INFO, """
            {name} changes members of a partition, {text}; {count} changes of it since the last such line
            An operator used the command partition, or the HTTP API. There is at most one line a minute for each partition."""),
    RUN_TIME_CHANGE_UNCONFIRMED(1128, WARNING, """
            a change of members of {key} at run time is not confirmed by {count} ports, {name}
            A device did not accept its P_Key table. The next sweep tries again. Cleared by TSM-1129. Remedy: Check the device."""),
    RUN_TIME_CHANGE_CONFIRMED(1129, INFO, """
            all ports have the P_Keys that were changed at run time
            Ends TSM-1128."""),
    RUN_TIME_CHANGE_ABANDONED(1130, ERROR, OCCURRENCE, """
            a change of members of {key} at run time is abandoned because of a defect in this program
            The next sweep tries again. Remedy: Report it with the stack trace."""),
    LINK_HELD_DOWN_BY_DRAIN(1131, INFO, """
            {name} is taken down for the drain of {text}
            An operator ordered the drain, or a cable is isolated. Event TSM-6016 reports its end.""", DeviceText.FIELDS),
    OPENING(1132, INFO, """
            opening {text}
            A start opens a port, directory, socket or address. If no further line follows, the named part does not respond."""),
    SINGLE_FAILURE_COST(1133, INFO, """
            {text}
            The failure precheck found a costly loss; all hosts would still be served. The event names one cable for \
            each routing; torus-sm what-if shows the others.""", DeviceText.FIELDS),
    PEERS_AWAITED(1141, INFO, """
            before this SM {action} it waits for the state of its peers of replication, for {seconds} s at most; connected: {text}
            The state of this SM may be older. TSM-1142 or TSM-1143 follows. Remedy: Do nothing; see replication_wait."""),
    PEERS_HEARD(1142, INFO, """
            the state of the peers of replication has arrived after {milliseconds} ms
            Ends the wait that TSM-1141 reported."""),
    PEERS_NOT_HEARD(1143, WARNING, """
            not every peer of replication responded within {seconds} s: this SM continues with its own state, which may be older; connected: {text}
            Ends the wait that TSM-1141 reported. The state of a missing peer is added when it connects. Cleared by TSM-9106. \
            Remedy: Start the peer; check the management network."""),
    STATE_DIR_MISSING(1150, ERROR, """
            state_dir {file} cannot be made ({reason}): nothing is kept on the disk, the subnet is served nevertheless
            A full or read-only disk. State in memory is lost at the end of the process. Cleared by TSM-1151. Remedy: Make room, \
            or name another state_dir; it is tried each 30 s."""),
    STATE_DIR_MADE(1151, INFO, """
            state_dir {file} is there: files are written from now on
            Ends TSM-1150."""),
    CONSOLE_UNAVAILABLE(1201, ERROR, BY_RESTART, """
            no console: {reason}; see control_socket
            Another program uses control_socket, or its directory is missing. Remedy: Name another control_socket, or create its \
            directory."""),
    CONSOLE_NOT_LOOPBACK(1202, ERROR, BY_RESTART, """
            no console on {address}: it is not a loopback address of this host; see console_listen
            The console has no password, so it listens on the loopback only. Remedy: Set console_listen to 127.0.0.1 or ::1."""),
    CONSOLE_NOT_LISTENING(1203, ERROR, BY_RESTART, """
            no console on {address}: {reason}; see console_listen
            The port is not free. Remedy: Set another port in console_listen."""),
    CONSOLE_SOCKET_LEFT(1204, INFO, """
            {file} cannot be removed: {reason}
            The socket of the console stays in the file system. The next start replaces it."""),
    CONSOLE_DEFECT(1205, ERROR, OCCURRENCE, """
            defect of this program in console command "{text}"
            A command failed unexpectedly, and the SM continues. Remedy: Report it with the stack trace."""),
    HTTP_UNAVAILABLE(1211, ERROR, BY_RESTART, """
            no metrics, health and web page: {reason}; see http_listen
            http_listen is not free, or is not an address of this host. Remedy: Give each torus-sm its own port."""),
    HTTP_LISTENING(1212, INFO, """
            metrics, health and a picture of the fabric: http://{address}/
            The HTTP server is open."""),
    HTTP_EXPOSED(1213, WARNING, BY_RESTART, """
            http_listen {address} is not a loopback address: any host that reaches it sees the whole fabric, without a \
            password
            The HTTP server listens beyond this host. Remedy: Restrict access by a firewall, or listen on the loopback."""),
    HTTP_DEFECT(1214, ERROR, OCCURRENCE, """
            defect of this program in an answer over HTTP
            A request failed unexpectedly, and the SM continues. Remedy: Report it with the stack trace."""),
    CLIENT_NOT_ACCEPTED(1215, WARNING, """
            no client is accepted at {address} now: {reason}
            Most likely this process has no file descriptors left. Cleared by TSM-1216. Remedy: Raise LimitNOFILE or ulimit \
            -n; find the client with so many connections."""),
    CLIENTS_ACCEPTED(1216, INFO, """
            clients are accepted at {address} again
            Ends TSM-1215."""),
    ALERTS_WAIT(1221, WARNING, """
            alerts do not reach {address}: {reason}
            Up to 1,000 events are kept, and sent again every minute. Cleared by TSM-1222. Remedy: Check the program \
            (alert_program) or the server (alert_url)."""),
    ALERTS_DELIVERED(1222, INFO, """
            alerts reach {address} again
            Ends TSM-1221: the alerts that were kept have been delivered."""),
    ALERT_REFUSED(1223, WARNING, OCCURRENCE, """
            {address} refused an alert: {reason}
            The program ended with a status other than 0 and 75, or the server responded with a status from 300 to 499. This \
            alert is not sent again. Remedy: Check the program (alert_program) or the address (alert_url)."""),
    HTTPS_UNAVAILABLE(1224, ERROR, BY_RESTART, """
            no HTTPS: {reason}
            https_listen is not free, or a file that it needs cannot be used. Remedy: Follow the message and restart; torus-sm \
            --check-config checks the files."""),
    HTTPS_LISTENING(1225, INFO, """
            HTTPS for {count} users: https://{address}/
            The HTTPS server is open. It serves users of https_users only."""),
    HTTPS_FILES_READ(1226, INFO, """
            certificate and users of HTTPS read again: {count} users, and the certificate ends {text}
            SIGHUP was received. New connections use the files. Streams of events end: users authenticate again."""),
    HTTPS_FILES_KEPT(1227, ERROR, """
            certificate and users of HTTPS stay as they were: {reason}
            A file of HTTPS cannot be used, so all previous files stay active. Cleared by TSM-1226. Remedy: Correct the file \
            that is named, and send SIGHUP; torus-sm --check-config checks it."""),
    HTTPS_CERTIFICATE_ENDS(1228, WARNING, OCCURRENCE, """
            the certificate {file} expires {text}
            The certificate of HTTPS expires within two weeks, or has expired. Remedy: Renew it, and send SIGHUP."""),
    HTTPS_LOGIN_FAILED(1229, WARNING, OCCURRENCE, """
            {count} requests over HTTPS from {address} were refused, the last because {reason}
            A wrong token, an unknown certificate, or no TLS. Reported once a minute for each address. After ten failures the \
            address has to wait. Remedy: Give the client a token with a line in https_users, or find out how it reaches the port."""),
    CHANGE_ASKED(1230, INFO, """
            {user} at {address} requested: {action}; {text}
            A user changed something, or tried to, over HTTPS or on the console."""),
    CHANGE_REFUSED(1231, WARNING, OCCURRENCE, """
            {user} at {address} may not request: {action}
            The operation needs a higher role in https_users. Remedy: Give the user that role if the request is legitimate."""),

    // ---- The embedded fabric as a server (torus-sm fabric)
    FABRIC_CLIENT_ATTACHED(1301, INFO, """
            {address} is attached to {name}
            A program attached to the fabric that torus-sm fabric serves."""),
    FABRIC_CLIENT_REFUSED(1302, WARNING, OCCURRENCE, """
            {address} was not attached: {reason} ({count} refusals since the last line)
            A program named a host that does not exist, or there are too many clients. Remedy: Set SIM_HOST to a node of the \
            topology, or allow more (--max-clients)."""),
    FABRIC_CLIENT_DIED(1303, INFO, """
            {address} at {name} is gone without detaching
            A client of the fabric ended without detaching. Its IsSM bit is cleared."""),
    FABRIC_FAULT(1310, INFO, """
            {user}: {action}{text}
            A line of the console of torus-sm fabric, from a person or a script, succeeded or failed."""),
    FABRIC_TRAFFIC_LOST(1311, INFO, """
            {count} packets of the fabric's own traffic were lost since the last line: {reason}
            Packets between hosts of torus-sm fabric did not arrive, as is expected during a fault. Otherwise the tables are \
            wrong."""),

    // ---- The local port and the transport of MADs
    PORT_GONE(2001, ERROR, OCCURRENCE, """
            the port is gone: {reason}
            The port cannot be opened again in this process. The SM ends with exit code 4. Remedy: Check the adapter. \
            systemd starts the SM again."""),
    PORT_UNAVAILABLE(2002, ERROR, OCCURRENCE, """
            {reason}
            No port of this host can be opened. Remedy: Follow the message: load ib_umad, join group rdma, or stop the other SM."""),
    MAD_RECEIVER_FAILED(2003, ERROR, OCCURRENCE, """
            {device}: a received MAD was dropped because the receiver failed
            A defect of this program. Remedy: Report it with the stack trace."""),
    RECEIVE_THREAD_HANGS(2004, ERROR, BY_RESTART, """
            {device}: the receive thread does not end; the port stays open until the process ends
            A defect of the driver or of this program. Remedy: Report it."""),
    MAD_HANDLER_FAILED(2005, ERROR, OCCURRENCE, """
            the handler of an unsolicited MAD failed; the MAD is dropped
            A defect of this program. Remedy: Report it with the stack trace."""),
    CONTINUATION_FAILED(2006, ERROR, OCCURRENCE, """
            a continuation failed; its stage continues without it
            A defect of this program. Remedy: Report it with the stack trace."""),
    FAILURE_HANDLER_FAILED(2007, ERROR, OCCURRENCE, """
            the handler of a failed continuation failed
            A defect of this program. Remedy: Report it with the stack trace."""),
    PORT_AWAY(2008, ERROR, """
            the port is gone and is opened again when it returns: {reason}
            The adapter was removed or reset, or its driver was unloaded. Cleared by TSM-2009. Remedy: Check the adapter, \
            unless the removal was intended."""),
    PORT_BACK(2009, INFO, """
            the port is back: port {port} of {device}
            Ends TSM-2008."""),
    PORT_AWAITED(2010, WARNING, """
            waiting for a port: {reason}
            The host started before its adapter or the switches. Cleared by TSM-2011. Remedy: Wait. If it lasts, follow the message."""),
    PORT_FOUND(2011, INFO, """
            the port is available after {seconds} s
            Ends TSM-2010."""),
    OWN_LINK_LOST(2012, ERROR, """
            {device} has lost its link
            The cable of the SM's own port, or the switch behind it, failed. Cleared by TSM-2013. Remedy: Check both, unless \
            the cable was pulled on purpose."""),
    OWN_LINK_BACK(2013, INFO, """
            {device} has a link again
            Ends TSM-2012."""),
    SEND_HANGS(2014, ERROR, BY_RESTART, """
            {device}: a send does not return; the port stays open until the process ends
            The driver, or the simulator, does not accept a MAD. Remedy: Check the adapter and the log of the kernel."""),
    CAPTURE_BROKEN(2101, ERROR, OCCURRENCE, """
            the MAD capture {file} ends here, the subnet manager continues: {reason}
            The file of the capture cannot be written. Remedy: Free disk space, and start another capture."""),
    CAPTURE_INTERRUPTED(2102, WARNING, OCCURRENCE, """
            the MAD capture {file} was interrupted and is not complete
            The SM ended while the file was written. Remedy: End the capture before the SM if all of it is needed."""),
    CAPTURE_SLOW(2103, WARNING, OCCURRENCE, """
            the MAD capture {file} could not be completed within {milliseconds} ms
            The disk is slow. Remedy: Capture to a faster disk."""),
    CAPTURE_INCOMPLETE(2104, WARNING, OCCURRENCE, """
            the MAD capture {file} lacks {count} MADs: the disk is too slow
            The disk is slow. Remedy: Capture to a faster disk."""),

    // ---- Adoption and return
    TAKEOVER_ASKED(2141, INFO, """
            takeover of the subnet from {name} begins: this SM has priority {count} now
            An operator used takeover. The master hands over to an SM of higher rank. Remedy: Set sm_priority to at least \
            this value. Otherwise the subnet returns when the configuration is read again."""),
    TAKEOVER_FAILED(2142, WARNING, OCCURRENCE, """
            the subnet was not taken over: {reason}
            An operator used takeover. Remedy: Give both SMs the same sm_key; check that the master sweeps; or stop it."""),
    OPENSM_FILES_WRITTEN(2143, INFO, """
            the files that OpenSM needs are in {file}
            An operator gives the subnet back (release). The files contain keys. Remedy: Start OpenSM with them; see migration.md."""),

    // ---- Mastership
    STANDBY(3001, INFO, """
            another subnet manager is master: {peer}
            This SM is standby. Remedy: Do nothing, or stop an SM that was forgotten; sm_priority decides."""),
    ANOTHER_MASTER(3002, ERROR, OCCURRENCE, """
            another subnet manager is master: {peer}
            A single sweep was requested, which another master does not allow. Remedy: Stop the other SM, or sweep where it runs."""),
    MASTERSHIP_CHANGED(3003, INFO, """
            mastership: {text}
            The state of this SM or of another one changed."""),
    MASTERSHIP_TROUBLE(3004, WARNING, OCCURRENCE, """
            mastership: {text}
            Another SM does not follow IBA, or two SMs are masters or have one priority. Remedy: Stop one, or change its priority."""),
    SWEEP_NOT_MASTER(3005, INFO, """
            no sweep: this SM is {state}, only the master sweeps
            A sweep was requested on an SM that is not the master. Remedy: Request it on the master."""),
    SM_IGNORED(3006, WARNING, OCCURRENCE, """
            the subnet manager with port GUID {guid} is ignored: {reason}
            The SM shows another SM_Key, or is not trusted. Remedy: Use the same sm_key on all; see trusted_sm_keys and \
            trusted_sm_guids."""),
    ACKNOWLEDGE_REFUSED(3007, INFO, """
            {peer} does not accept the ACKNOWLEDGE: {reason}
            The other SM did not complete a handover. Remedy: Do nothing; it is tried again."""),
    NO_TRAP_144(3008, INFO, """
            no trap 144 to the master: the local port has no LID yet
            The port is not configured yet."""),
    IS_SM_CLEARED(3009, WARNING, OCCURRENCE, """
            the local port does not report a subnet manager (CapabilityMask.IsSM); the bit is set again
            Another program cleared IsSM. Remedy: Find a program that uses /dev/infiniband/issm*."""),
    IS_SM_NOT_SET(3010, ERROR, OCCURRENCE, """
            other subnet managers do not see this one: {reason}
            CapabilityMask.IsSM cannot be set. Remedy: Stop the other SM of this port, or correct the rights of \
            /dev/infiniband/issm*."""),
    STOOD_STILL(3013, WARNING, OCCURRENCE, """
            this process stood still for {milliseconds} ms: the fabric is read again before any write
            The process or its machine was stopped, or had no CPU time. Another SM may have become master meanwhile. Remedy: If \
            that was not intended, find the cause of the stop, or provide more processors."""),
    KEYS_PUBLIC(3014, WARNING, """
            {text}
            A default of m_key, sm_key or m_key_protection_level is active, which protects nothing from programs on hosts. \
            Cleared by TSM-3015. Remedy: Run torus-smctl keys new; see protection.md."""),
    KEYS_SECRET(3015, INFO, """
            m_key and sm_key protect the fabric now
            Ends TSM-3014."""),
    KEYS_CHANGED(3016, INFO, """
            {action} active
            An operator used torus-smctl keys at this SM, or at the master, and the keys were copied here."""),
    SM_UNPROVED(3017, WARNING, """
            unproved subnet manager at port GUID {guid} {name}: it receives neither keys nor the subnet
            m_key or sm_key is secret, and another SM has not proved that it belongs here. Cleared by TSM-3018. Remedy: If the SM \
            belongs here, list the port GUIDs of both in trusted_sm_guids, or connect both by replication_peers. Otherwise stop \
            it."""),
    SM_PROVED(3018, INFO, """
            the subnet manager at port GUID {guid} is proved, gone, or the master
            Ends TSM-3017."""),
    MASTERSHIP_LOST(3019, WARNING, """
            port GUID {guid} {name} is master instead of this SM, and is not one of its peers
            The other SM is neither in replication_peers nor in trusted_sm_guids, and has shown no secret sm_key. Cleared by \
            TSM-3020. Remedy: List the port GUIDs of both in trusted_sm_guids if the SM belongs here. Otherwise stop it."""),
    MASTERSHIP_NOT_LOST(3020, INFO, """
            port GUID {guid} {name} is no longer master instead of this SM, or is one of its peers
            Ends TSM-3019."""),
    MASTER_REPLACED(3021, WARNING, """
            this SM took over from port GUID {guid} {name}, which did not hand over
            The previous master, its host or its link failed. No other SM stands by. Cleared by TSM-3022. Remedy: Find out \
            why the previous master failed, and start it again."""),
    STANDBY_PRESENT(3022, INFO, """
            another SM stands by again, or this SM is no longer master
            Ends TSM-3021."""),
    SM_SILENT(3023, WARNING, OCCURRENCE, """
            another SM no longer responds, the fabric is read again: {peer}
            It ended, or its host or link failed. Remedy: If it was to stand by, start it again."""),

    // ---- Devices, links and traps
    FABRIC_ANOMALY(4001, WARNING, BY_SWEEP, """
            {text}
            GUIDs are duplicate, the two ends of a link disagree, or values violate IBA. Remedy: Check the devices that are \
            named, and their firmware.""", DeviceText.FIELDS),
    NODE_RENAMED(4002, INFO, """
            {name} has the new name "{text}"
            A node changed its description.""", DeviceText.FIELDS),
    SYSTEM_CHANGED(4003, INFO, """
            {name} has the new SystemImageGUID {guid}
            A node changed its SystemImageGUID.""", DeviceText.FIELDS),
    LID_CHANGED(4004, WARNING, OCCURRENCE, """
            {text}
            A port has another LID than before, or two ports claimed the same one. Remedy: If it happens again, look for a \
            duplicate adapter, and for another program that writes LIDs.""", DeviceText.FIELDS),
    CABLES_FORGOTTEN(4005, WARNING, OCCURRENCE, """
            {count} cables of {file} are forgotten, since their other end has changed; the first is at {name}
            Cables were moved while the SM was down. Remedy: Compare with the plan if no cable was moved; the SM learns them again.""", DeviceText.FIELDS),
    DEVICES_CHANGED(4006, INFO, """
            changed devices: {count}, {name}{text}; the fabric is read again
            A light sweep found a changed port, table or LID. The sweep that follows reports lost and new cables and devices.""", DeviceText.FIELDS),
    HOST_GONE(4007, INFO, """
            {name} is gone; it was cabled to {destination}
            A host is off, or its cable is pulled. Routes and LID stay. Hosts of a lost switch are in TSM-4012 or TSM-4014.""", DeviceText.FIELDS),
    HOST_BACK(4008, INFO, """
            {name} is {state}, cabled to {destination}{text}
            A host is back, or is new, but not with its lost switch. The text names a different previous place.""", DeviceText.FIELDS),
    HOSTS_CHANGED(4009, INFO, """
            {text}
            More than five hosts disappeared or appeared simultaneously; torus-smctl absent lists all that are gone.""", Set.of(EventField.GONE, EventField.BACK)),
    CABLE_LOST(4010, WARNING, """
            {name} has lost its link to {destination}{text}
            A cable between two switches is pulled, broken or disabled at one end. Cleared by TSM-4011. Remedy: Check the \
            cable and its plugs at both ends.""", DeviceText.FIELDS),
    CABLE_BACK(4011, INFO, """
            the link of {name} to {destination} is {text}
            Ends TSM-4010: the cable is back, or one of its ends has another cable.""", DeviceText.FIELDS),
    SWITCH_LOST(4012, WARNING, """
            switch {name}{text}
            A switch is off, or no cable leads to it. The condition lasts until its cables are back, too. Cleared by \
            TSM-4013. Remedy: Check its power and its cables.""", DeviceText.FIELDS),
    SWITCH_BACK(4013, INFO, """
            switch {name} is {text}
            Ends TSM-4012: the switch and all of its cables are back, or other cables are in their ports.""", DeviceText.FIELDS),
    MANY_LOST(4014, WARNING, """
            {text}
            Switches of one rack, or many switches or cables, were lost simultaneously. Cleared by TSM-4015. Remedy: Check \
            their common parts, such as power; torus-smctl absent lists all.""", DeviceText.FIELDS),
    MANY_BACK(4015, INFO, """
            {text}
            Ends TSM-4014: all are back, or other cables are in their ports.""", DeviceText.FIELDS),
    PARTLY_BACK(4016, INFO, """
            {text}
            A part of the loss that TSM-4012 or TSM-4014 reported is back. The rest is still absent.""", DeviceText.FIELDS),
    SWITCH_RESTARTED(4017, WARNING, OCCURRENCE, """
            switch {name} has restarted: its tables are empty, and are written again; hosts at it: {count}
            It lost its power for a moment, or its firmware restarted. Paths through it were interrupted. Of many, eight \
            have a line. Remedy: Check its power, and its log.""", DeviceText.FIELDS),
    SWITCHES_SILENT(4018, WARNING, OCCURRENCE, """
            switches that do not respond: {count}, {name}{text}; the fabric is read again
            A light sweep got no response. A loss is TSM-4012. The ends of a flapping link are left out until TSM-4114. Remedy: Without TSM-4012, check its firmware.""", DeviceText.FIELDS),
    LID_RESTORED(4030, WARNING, OCCURRENCE, """
            {text}
            A port reports another LID than this SM assigned. The SM writes its LID again. Remedy: Find another subnet manager, or \
            a program that sets LIDs, if the adapter was not moved.""", DeviceText.FIELDS),
    NO_LID_LEFT(4031, ERROR, BY_SWEEP, """
            {text}
            There are more end ports than LIDs that the switches forward. The port is left out. Remedy: Lower lmc, remove end \
            ports, or start with reassign_lids if absent ports use up LIDs.""", DeviceText.FIELDS),
    SWITCH_CLAIMS_FEW_LIDS(4032, WARNING, BY_SWEEP, """
            {text}
            A switch reports a LinearFDBCap smaller than the LIDs in use. If it rejects its tables, it is left out. Remedy: Check \
            its firmware; replace it if it is too small for this subnet.""", DeviceText.FIELDS),
    LINK_HAS_FEW_VLS(4033, WARNING, BY_SWEEP, """
            {text}
            A link has fewer data VLs than deadlock-free routes need. Routes bypass the cable. Remedy: Check the port and its \
            firmware; when it reports its VLs again, retrain the link (torus-smctl bounce).""", DeviceText.FIELDS),
    TRAP_RECEIVED(4101, INFO, """
            {name} reports {text} (trap {trap})
            A port sent a trap. Trap 128 is not reported: the sweep that it causes reports the changed port or cable, for \
            example TSM-4007, TSM-4010 or TSM-4012.""", DeviceText.FIELDS),
    VENDOR_NOTICE_RECEIVED(4102, INFO, """
            {name} reports trap {trap} of its vendor {text}
            A port sent a trap that IBA does not define. Remedy: See the manual of the vendor.""", DeviceText.FIELDS),
    LINK_FLAPPING(4103, WARNING, """
            {name}{text}: the link flaps, {reason} in {seconds} s, {state} at the last sweep; single changes are not logged until it is quiet for 30 s
            More than four bursts of trap 128 arrived without 30 s of quiet between them. Sweeps for it are delayed. \
            Cleared by TSM-4114. Remedy: Check the cable; torus-smctl history flaps names it, too.""", DeviceText.FIELDS_WITH_COUNT),
    LINK_ERRORS(4104, INFO, """
            {name} reports {text} (trap {trap})
            Traps 129 to 131 report bit errors, overruns or flow control errors. Remedy: Check the cable if they continue.""", DeviceText.FIELDS),
    PORT_UNHEALTHY(4105, WARNING, BY_QUIET, """
            {name} reports {text} repeatedly (trap {trap}) and counts as unhealthy until it is quiet for a minute; check the cable and its plugs
            Traps 129 to 131 do not cease. Remedy: Replace the cable.""", DeviceText.FIELDS),
    PORT_BABBLING(4106, WARNING, OCCURRENCE, """
            {name} reports errors without pause; pull or replace the cable, or set babbling_port_policy = true
            The traps of a bad link do not cease. Remedy: Replace the cable.""", DeviceText.FIELDS),
    OWN_PORT_BABBLING(4107, WARNING, OCCURRENCE, """
            {name} reports errors without pause; pull or replace the cable, which connects this SM
            The traps of a bad link do not cease, and the port cannot be disabled without losing the fabric. Remedy: Replace \
            the cable.""", DeviceText.FIELDS),
    PORT_DISABLED(4108, WARNING, OCCURRENCE, """
            {name} reports errors without pause; {destination} is disabled (babbling_port_policy); when the cable is \
            replaced, enable it again with ibportstate
            The SM disabled a port whose traps did not cease. Remedy: After the repair run ibportstate LID PORT enable.""", DeviceText.FIELDS),
    PORT_NOT_DISABLED(4109, WARNING, OCCURRENCE, """
            {name} cannot be disabled: {reason}
            The port rejected the change. Remedy: Disable it by hand.""", DeviceText.FIELDS),
    M_KEY_REFUSED(4110, INFO, """
            {name} rejected an SMP of this SM: its M_Key is another one, or is changing; the other known keys are tried
            Trap 256 reports this SM itself.""", DeviceText.FIELDS),
    M_KEY_VIOLATION(4111, WARNING, OCCURRENCE, """
            {name} shows a wrong M_Key, {count} SMPs were rejected since the last report, the latest {text}
            Trap 256: a program there manages or probes the fabric without the M_Key. Remedy: Give it the M_Key, or stop it.""", DeviceText.FIELDS),
    P_KEY_VIOLATION(4112, WARNING, OCCURRENCE, """
            {name} sends packets with a wrong P_Key, {count} reports since the last line, the latest by {reporter}: {key} to {destination}
            Trap 257 or 259: a host uses a P_Key that is not its own. Remedy: Correct partitions.conf, or the host.""", DeviceText.FIELDS),
    Q_KEY_VIOLATION(4113, WARNING, OCCURRENCE, """
            {name} sends packets with a wrong Q_Key, {count} reports since the last line, the latest by {reporter}: {key} to \
            {destination}
            Trap 258: a host uses a Q_Key that is not its own. Remedy: Correct the host.""", DeviceText.FIELDS),
    LINK_QUIET(4114, INFO, """
            {name}{text}: the link is {state}{action}; it no longer flaps, quiet for 30 s after {reason} in {seconds} s
            Ends TSM-4103: no trap 128 arrived for 30 s. State and routes are those of the last sweep; only changes that sweeps find count.""", DeviceText.FIELDS_WITH_COUNT),
    LINK_ENDS_DIFFER(4201, WARNING, """
            {name} and {destination}, the ends of one cable, do not agree: {text}
            One end drops packets that the other end may send. A working link is not taken down for this. Cleared by \
            TSM-4202. Remedy: Run torus-smctl bounce NODE PORT, which first shows the effect of the loss of the link.""", DeviceText.FIELDS),
    LINK_ENDS_AGREE(4202, INFO, """
            {name} and {destination} agree on their {text} again, or are no longer ends of one cable
            Ends TSM-4201.""", DeviceText.FIELDS),
    LINK_SPEED_UNKNOWN(4203, WARNING, """
            {name}, cabled to {destination}, has a speed that is newer than this program: {text}
            Paths over the link have the fastest rate that is known for its width. Cleared by TSM-4204. Remedy: Install a \
            newer version.""", DeviceText.FIELDS),
    LINK_SPEED_KNOWN(4204, INFO, """
            {name}, cabled to {destination}, has a known speed, or is gone
            Ends TSM-4203.""", DeviceText.FIELDS),
    PORT_BOUNCED(4205, INFO, """
            {name} was set Down to train its link again
            An operator used the command bounce. The link returns within seconds and is configured again.""", DeviceText.FIELDS),
    PORT_NOT_BOUNCED(4206, WARNING, OCCURRENCE, """
            {name} could not be set Down: {reason}
            An operator used the command bounce, and the device did not respond or rejected it. Remedy: Try again, or pull \
            the cable.""", DeviceText.FIELDS),
    ADAPTIVE_ROUTING_ON(4301, WARNING, """
            {name} uses adaptive routing: {text} left on by another manager
            Packets do not follow the forwarding tables that are proved, so the certificate does not cover them. Cleared by \
            TSM-4302. Remedy: Switch it off in that manager (UFM, MLNX OpenSM) and restart the switches; see migration.md.""", DeviceText.FIELDS),
    ADAPTIVE_ROUTING_OFF(4302, INFO, """
            {name} follows its forwarding tables again, or is gone
            Ends TSM-4301.""", DeviceText.FIELDS),
    VPORTS_LEFT(4310, WARNING, """
            virtual ports of {name} stay as they are: {reason}
            The device rejects requests, contradicts itself, or is silent. Cleared by TSM-4311. Remedy: Update its firmware.""", DeviceText.FIELDS),
    VPORTS_MANAGED(4311, INFO, """
            virtual ports of {name} are managed, or the port is gone
            Ends TSM-4310.""", DeviceText.FIELDS),
    VPORTS_ACTIVE(4312, INFO, """
            virtual ports in ACTIVE: {count}
            Their number has changed. The SA answers for their GUIDs."""),
    VPORTS_FLAPPING(4313, WARNING, """
            virtual ports of {name} change again and again: {reason}; their changes are delayed
            A virtual port came more than four times without 30 s of quiet, or the host sends traps without end. Cleared by \
            TSM-4314. Remedy: Check the virtual functions of the host.""", DeviceText.FIELDS),
    VPORTS_STABLE(4314, INFO, """
            virtual ports of {name} stable again after {count} delayed changes in {seconds} s, or the port is gone
            Ends TSM-4313: nothing was delayed for 30 s.""", DeviceText.FIELDS),

    // ---- Routing
    ROUTING_ERROR(5001, ERROR, BY_SWEEP, """
            {text}
            An engine cannot route this fabric. If another engine of routing_engine can, TSM-5031 is reported instead. \
            Remedy: Correct the cause that the message names.""", DeviceText.FIELDS),
    ROUTING_WARNING(5002, WARNING, BY_SWEEP, """
            {text}
            An engine routes, but with a problem. Remedy: Check the file, device or setting that the message names.""", DeviceText.FIELDS),
    ROUTING_NOTE(5003, INFO, """
            {text}
            An engine explains its routes.""", DeviceText.FIELDS),
    ROUTING_REFUSED(5004, ERROR, BY_SWEEP, """
            routing refused, the switches keep their tables: {reason}
            No engine routes the fabric without credit loops. No route was changed. Remedy: Correct the causes that the \
            message names."""),
    SINGLE_FAILURE(5005, WARNING, OCCURRENCE, """
            {text}
            The failure precheck found cables without an alternative. Remedy: Repair the parts that are down.""", DeviceText.FIELDS),
    PRECHECK_DEFECT(5006, ERROR, OCCURRENCE, """
            the failure precheck of a cable failed because of a defect in this program
            Routing is not affected. Remedy: Report it with the stack trace."""),
    PROOF_DOUBTED(5007, ERROR, OCCURRENCE, """
            the incremental proof of the active routes differs from a whole one: {text}
            A defect of this program. All routes are computed and proved again. Remedy: Report it, with a recording \
            (torus-smctl record)."""),
    PROOF_DONE(5009, INFO, """
            {text}
            The routes are proved free of credit loops."""),
    CREDIT_LOOP(5010, WARNING, BY_SWEEP, """
            {text}
            An engine does not promise freedom from deadlock, and this fabric can deadlock; on_credit_loop = warn accepts \
            that. Remedy: Set routing_engine = "torus-2QoS", or accept it."""),
    MULTICAST_TREE_CHANGED(5011, INFO, """
            {text}
            The tree that the engine proposed could deadlock together with its unicast routes. Multicast uses another tree, \
            which is proved. No repair is needed.""", DeviceText.FIELDS),
    MULTICAST_TREE_MISSING(5012, ERROR, BY_SWEEP, """
            {text}
            No tree for multicast is free of deadlock. Remedy: Repair the fabric; IPoIB does not work until then."""),
    TABLES_UNSOUND(5013, ERROR, BY_SWEEP, """
            {text}
            The tables of an engine failed their verification and are not written. Either the engine has a defect, or the \
            fabric can deadlock. Remedy: Report it with the topology (fabric.topo of a dump)."""),
    SLS_CHANGED(5014, ERROR, OCCURRENCE, """
            {text}
            The engine, datelines, seeds or coordinates of switches changed. Path SLs that hosts received earlier are \
            no longer valid. Remedy: Let hosts request paths again; undo the change if it was not intended."""),
    SWITCH_GONE(5015, WARNING, OCCURRENCE, """
            since the last run: switch {name} is gone
            The switch was present when the SM ran last. Remedy: Check the switch and its cables, unless it was removed.""", DeviceText.FIELDS),
    SWITCH_MOVED(5016, WARNING, OCCURRENCE, """
            since the last run: switch {name} has moved to {coordinates}
            The switch had other coordinates in the torus. Remedy: Check its cables, unless it was moved on purpose.""", DeviceText.FIELDS),
    SWITCH_NEW(5017, INFO, """
            since the last run: switch {name} is new
            The switch was absent when the SM ran last.""", DeviceText.FIELDS),
    SWITCHES_CHANGED(5018, WARNING, OCCURRENCE, """
            since the last run: {count} more switches changed
            More switches changed than are listed one by one. Remedy: Run torus-smctl absent, unless they were intended."""),
    PROOF_LIMITED(5019, WARNING, BY_SWEEP, """
            {text}
            A switch hangs, or is left out, and its data plane still uses old tables. The condition ends when TSM-6015 \
            reports that its links are down. Remedy: Check the switch; restart it.""", DeviceText.FIELDS),
    STALE_CREDIT_LOOP(5020, WARNING, BY_SWEEP, """
            {text}
            A switch that hangs still has old tables. Together with them the new routes could deadlock until its links are \
            down. Remedy: Restart the switch, or pull its cables, if traffic stops.""", DeviceText.FIELDS),
    ROUTES_DEGRADED(5021, WARNING, """
            DEGRADED: {text}
            The engine refused the fabric. Its possible routes and all SLs are kept, and other routes are detours. All are proved. \
            Cleared by TSM-5022. Remedy: Repair the cause that the text names."""),
    ROUTES_WHOLE(5022, INFO, """
            routes are no longer degraded: {text}
            Ends TSM-5021."""),
    ENGINE_FILES_KEPT(5023, ERROR, """
            the previous content of the files of {text} stays active, since they cannot be used now: see the lines before
            A file of a routing engine has errors. Routing continues with the version that was read last. Cleared by \
            TSM-5024. Remedy: Correct the file, and request a sweep.""", Set.of(EventField.REPORTER)),
    ENGINE_FILES_TAKEN(5024, INFO, """
            the files of {text} are used again
            Ends TSM-5023.""", Set.of(EventField.REPORTER)),
    ROUTES_STAYING(5025, WARNING, """
            the previous routes stay active: {text}
            No engine routes the fabric (TSM-5004). Devices with routes may leave, return and restart. Other pairs get no \
            PathRecord. Cleared by TSM-5026. Remedy: Repair the cause that TSM-5004 names."""),
    ROUTES_COMPUTED(5026, INFO, """
            the fabric is routed again by {text}
            Ends TSM-5025 or TSM-5027."""),
    ROUTES_ADOPTED(5027, WARNING, """
            the routes in the switches are adopted: {text}
            No engine routes the fabric (TSM-5004), and this SM never did. The tables of the switches are free of credit loops. \
            Other pairs get no PathRecord. Cleared by TSM-5026. Remedy: Repair the cause that TSM-5004 names."""),
    ROUTES_NOT_ADOPTED(5028, ERROR, BY_SWEEP, """
            the routes in the switches are not adopted, and no path is given: {text}
            No engine routes the fabric (TSM-5004), and the tables by which the switches still forward are not proved. Remedy: \
            Repair the cause that TSM-5004 names, or add a fallback to routing_engine."""),
    FINDING_OVER(5030, INFO, """
            over: {text}
            The condition that an earlier line with this code reported has ended.""", DeviceText.FIELDS),
    FALLBACK_ENGINE(5031, WARNING, """
            routed by {text}
            A later engine of routing_engine, or minhop by default, routes the fabric, since the earlier ones refused. \
            The routes are proved, but most may differ. Cleared by TSM-5032. Remedy: \
            Repair the cause that the text names."""),
    FIRST_ENGINE(5032, INFO, """
            the first engine of routing_engine is active again
            Ends TSM-5031."""),
    SWITCH_PORT_LOOP(5033, WARNING, BY_SWEEP, """
            {text}
            Hosts and groups are proved free of deadlock, but not together with packets of switch ports 0 (performance \
            managers). on_switch_port_loop = warn accepts that. Remedy: Use an engine \
            that is free of both, such as updn or ftree, or accept it."""),
    TREE_MISCABLED(5040, WARNING, """
            {text}
            A cable of the fat tree joins two switches of one level, skips a level, or leads to a switch to which no similar \
            switch is cabled. Cleared by TSM-5041. Remedy: Move the end of the cable that is named, or exchange the two \
            cables; torus-smctl tree lists all.""", DeviceText.FIELDS),
    TREE_CABLED(5041, INFO, """
            over: {text}
            Ends TSM-5040: the cable was moved, or pulled out.""", DeviceText.FIELDS),
    TORUS_SEEDS_ABSENT(5046, WARNING, """
            {text}
            The switches of all seeds are cut off or off. Places and SLs are those of the last torus. Cleared by TSM-5047. Remedy: \
            Bring the cables or the switches back, or add a seed (next_seed) in this part.""", DeviceText.FIELDS),
    TORUS_SEED_PRESENT(5047, INFO, """
            a seed of torus-2QoS.conf has all of its switches again
            Ends TSM-5046."""),
    TORUS_CONF_ERROR(5101, ERROR, BY_SWEEP, """
            {text}
            A line of torus-2QoS.conf is wrong, or the file is missing. Remedy: Correct the line that is named.""", DeviceText.FIELDS),
    TORUS_CONF_WARNING(5102, WARNING, BY_SWEEP, """
            {text}
            A line of torus-2QoS.conf has a problem. Remedy: Correct the line that is named."""),
    TORUS_CONF_NOTE(5103, INFO, """
            {text}
            A line of torus-2QoS.conf has no effect here."""),
    TORUS_SEED_ERROR(5104, ERROR, BY_SWEEP, """
            {text}
            No seed fits the fabric: a seed switch is down, or links are missing or reversed. Remedy: Write the seed that \
            the message proposes, or add next_seed."""),
    TORUS_SEED_WARNING(5105, WARNING, BY_SWEEP, """
            {text}
            A seed cannot be used, does not match the first, or could not replace it. Remedy: If the text names a cable, \
            repair the cable. Otherwise correct the seed before it is needed.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_ERROR(5106, ERROR, BY_SWEEP, """
            {text}
            Switches do not fit into the torus that is declared: sizes, seed or cabling are wrong. Remedy: Compare the plan \
            with ibnetdiscover.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_WARNING(5107, WARNING, BY_SWEEP, """
            {text}
            Switches are cut off from the torus, or are not part of it. Remedy: Compare the plan with ibnetdiscover.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_NOTE(5108, INFO, """
            {text}
            The coordinates of the first switches of the torus."""),
    TORUS_BROKEN(5109, ERROR, BY_SWEEP, """
            {text}
            Without the missing switches or links no routes are free of deadlock. Remedy: Repair the ring that is named.""", DeviceText.FIELDS),
    TORUS_DEGRADED(5110, WARNING, BY_SWEEP, """
            {text}
            Switches or cables of the torus are missing, and routes bypass them. Remedy: Repair the parts that are named.""", DeviceText.FIELDS),
    TORUS_CHANGED(5111, WARNING, OCCURRENCE, """
            {text}
            The torus lost a part since the last routing. Remedy: Repair the part that is named, unless this was intended.""", DeviceText.FIELDS),
    TORUS_RESTORED(5112, INFO, """
            {text}
            The torus gained a part since the last routing.""", DeviceText.FIELDS),
    TORUS_BUILT(5113, INFO, """
            {text}
            The torus is routed."""),
    TORUS_QOS_MISSING(5114, ERROR, BY_SWEEP, """
            {text}
            torus-2QoS needs QoS: its SLs and SL2VL tables keep the fabric free of deadlock. Remedy: Set qos = true."""),
    TORUS_FEW_VLS(5115, ERROR, BY_SWEEP, """
            {text}
            Links have fewer data VLs than torus-2QoS needs. Remedy: Check the link that the message names; raise max_op_vls \
            to 4.""", DeviceText.FIELDS),
    TORUS_FEWER_VLS(5116, WARNING, BY_SWEEP, """
            {text}
            Links have fewer data VLs than torus-2QoS could use. Remedy: Raise max_op_vls to 4 or 8.""", DeviceText.FIELDS),
    TORUS_QOS_OFF(5117, WARNING, BY_SWEEP, """
            {text}
            torus-2QoS is configured without QoS. Remedy: Set qos = true."""),

    // ---- Sweeps and programming
    SUBNET_UP(6001, INFO, """
            SUBNET UP{state}: {text}
            A sweep succeeded; the subnet was not necessarily down before. "Degraded" counts parts that torus-smctl absent lists, or names detours.""", Set.of(EventField.BLOCKS, EventField.ACTIVATED, EventField.SMPS)),
    SWEEP_FAILED(6002, ERROR, """
            sweep failed: {reason}
            The local port is down, or devices do not respond. Cleared by TSM-6001. Remedy: Wait for the next sweep. Check \
            ibstat and the cables if it fails too."""),
    SWEEP_ABANDONED(6003, ERROR, OCCURRENCE, """
            sweep {sweep} is abandoned because of a defect in this program
            The SM continues with the next sweep. Remedy: Report it with the stack trace."""),
    SWEEP_WIDENED(6004, INFO, """
            {reason}; the whole fabric is swept
            A sweep around some switches was not sufficient."""),
    SWEEPS_OFF(6005, WARNING, """
            sweeps are off: the console suspends them
            An operator used the command sweep off. Cleared by TSM-6006. Remedy: Run torus-smctl sweep on after the work."""),
    SWEEPS_ON(6006, INFO, """
            sweeps are on again
            Ends TSM-6005: an operator used the command sweep on."""),
    DEVICE_TROUBLE(6007, WARNING, """
            {text}
            A device rejected a write, or did not respond to it, and no other device depends on it. Cleared by TSM-6014. Remedy: \
            If it lasts, check the device and its firmware.""", DeviceText.FIELDS_WITH_ATTRIBUTE),
    LIDS_NOT_PERSISTED(6008, WARNING, OCCURRENCE, """
            {file} in the state directory is not written in {seconds} s; ports get their LIDs nevertheless. If the SM dies \
            before it is written, new ports may get others
            The disk is slow. Remedy: Check the disk of state_dir."""),
    ALIAS_GUIDS_DEFECT(6009, ERROR, OCCURRENCE, """
            alias GUIDs could not be written because of a defect in this program
            The next sweep tries again. Remedy: Report it with the stack trace."""),
    ALIAS_GUIDS_REFUSED(6010, WARNING, OCCURRENCE, """
            {name} does not accept its alias GUIDs: {reason}; each sweep tries again (logged once)
            The port has no room, or rejects the write. Remedy: Check the virtual functions of the host.""", DeviceText.FIELDS),
    DEVICE_LEFT_OUT(6011, ERROR, """
            {name} is left out of the subnet, and routes bypass it, until it complies: {reason}
            In two sweeps a switch, or a link between switches, failed to accept values that routes need. Each light sweep tries \
            again. Cleared by TSM-6012. Remedy: Check the device and its firmware; restart it.""", DeviceText.FIELDS_WITH_ATTRIBUTE),
    DEVICE_TAKEN_IN(6012, INFO, """
            {name} is no longer left out: {reason}
            Ends TSM-6011, TSM-6013 or TSM-7213; the next sweep includes it.""", DeviceText.FIELDS_WITH_ATTRIBUTE),
    DEVICE_TOLERATED(6013, ERROR, """
            {name} cannot be left out, since the SM is reached through it, and the proof of the routes does not cover it: {reason}
            In two sweeps the switch of the SM's own port failed to accept values that routes need. Cleared by TSM-6012. Remedy: \
            Check the device and its firmware; restart it, or move the SM to another switch.""", DeviceText.FIELDS_WITH_ATTRIBUTE),
    DEVICE_TROUBLE_OVER(6014, INFO, """
            {name} accepts its attribute {attribute} again, or is no longer part of the subnet
            Ends TSM-6007.""", DeviceText.FIELDS_WITH_ATTRIBUTE),
    LINK_HELD_DOWN(6015, WARNING, """
            {name} is taken down: the device behind it does not respond or is left out, and would forward by outdated tables
            A switch hangs and still forwards, or has the GUID of another one. The link stays in INITIALIZE. Cleared by \
            TSM-6016. Remedy: Check the device that is cabled there; restart it.""", DeviceText.FIELDS),
    LINK_NOT_HELD_DOWN(6016, INFO, """
            {name} is no longer held down
            Ends TSM-6015: the device there is part of the subnet again, or is gone.""", DeviceText.FIELDS),
    CONDITIONS_HOLD(6017, WARNING, OCCURRENCE, """
            {count} conditions are open, the first since {text}; torus-smctl conditions lists them
            This reminder appears once an hour while conditions are open. Remedy: Run torus-smctl conditions, which shows a \
            remedy for each."""),
    DRAINED(6018, INFO, """
            {name} is drained: routes bypass it from the next sweep on
            An operator used the command drain."""),
    UNDRAINED(6019, INFO, """
            {name} is no longer drained
            An operator used the command undrain; the next sweep includes it."""),
    DRAIN_GIVEN_BACK(6020, WARNING, OCCURRENCE, """
            {name}: drain cancelled, no routes exist without it
            Another part was lost. Remedy: Repair that part, then undrain this one and drain it again."""),
    LINK_ISOLATED(6021, WARNING, """
            {name} is isolated, and routes bypass it from the next sweep on: {reason}
            A cable goes down repeatedly, or loses packets. It is used again after a quiet time, or when it is needed. Cleared by \
            TSM-6022. Remedy: Reseat or replace the cable; torus-smctl undrain ends the isolation immediately.""", DeviceText.FIELDS),
    ISOLATION_OVER(6022, INFO, """
            {name} is no longer isolated: {reason}
            Ends TSM-6021: the next sweep includes it.""", DeviceText.FIELDS),
    LINK_NOT_SPARED(6023, WARNING, """
            {name} should be isolated but is needed by the subnet: {reason}
            Without it the ring would be cut, hosts would lose paths, or the load would grow too much. Cleared by TSM-6024. \
            Remedy: Repair the other missing parts, and replace the cable.""", DeviceText.FIELDS),
    LINK_SPARED(6024, INFO, """
            {name} no longer needs isolation, or is isolated
            Ends TSM-6023.""", DeviceText.FIELDS),
    DRIFT_FOUND(6025, WARNING, """
            {name} differs from its programmed tables and settings: {text}
            The next sweep writes the values of this SM again. Cleared by TSM-6026. Remedy: Find other subnet managers and tools \
            that write; torus-smctl drift lists the entries.""", DeviceText.FIELDS),
    DRIFT_OVER(6026, INFO, """
            {name} has its programmed tables and settings again
            Ends TSM-6025: the device was read again after a sweep.""", DeviceText.FIELDS),
    FOREIGN_WRITER(6027, ERROR, OCCURRENCE, """
            another program writes to {name}: it differed for the second time within an hour, {text}
            Another subnet manager that this one does not see, or a tool, keeps changing tables. Each change is written \
            back. Remedy: Find it (sminfo, saquery -s, traps 256 of the M_Key), end it, and set m_key.""", DeviceText.FIELDS),
    WRITES_POSTPONED(6028, WARNING, BY_SWEEP, """
            {text}
            Values that depend on a file of state_dir wait until it is written. Each sweep tries again. Remedy: See TSM-9004 for the file."""),
    INVENTORY_DIFFERS(6041, WARNING, """
            differences from the accepted inventory: {count}, the worst: {text}
            Devices or cables are not as expected. The condition shows the present number. Cleared by TSM-6042. Remedy: Run \
            torus-smctl inventory to list them. If the change is intended, run torus-smctl inventory accept yes."""),
    INVENTORY_AGREES(6042, INFO, """
            the fabric matches the accepted inventory
            Ends TSM-6041, or there is no accepted inventory any more."""),
    SHADOW_BEGUN(6043, INFO, """
            shadow at port {port} of {device}, GUID {guid}: nothing is written, {count} MADs a second at most are sent
            With --shadow the fabric is only read."""),
    SHADOW_LOOP(6044, WARNING, """
            the tables in the switches have a credit loop: {text}
            The master SM has programmed routes with which packets can wait for each other for ever. Cleared by TSM-6045. \
            Remedy: Run torus-smctl shadow, which shows the loop and the packets; use an engine without credit loops."""),
    SHADOW_LOOP_OVER(6045, INFO, """
            the tables in the switches are free of credit loops
            Ends TSM-6044."""),
    SHADOW_UNREACHABLE(6046, WARNING, """
            by the tables in the switches {count} pairs of hosts do not reach each other: {text}
            Forwarding entries are missing, or lead nowhere. Cleared by TSM-6047. Remedy: Run torus-smctl shadow, which \
            names pairs; check the master SM."""),
    SHADOW_REACHABLE(6047, INFO, """
            by the tables in the switches all hosts reach each other
            Ends TSM-6046."""),
    SHADOW_DIFFERS(6048, WARNING, """
            a takeover would change {text}
            This SM with its configuration would write other entries than the present ones. Cleared by TSM-6049. Remedy: Run \
            torus-smctl shadow, which names them; see shadow.md and migration.md."""),
    SHADOW_AGREES(6049, INFO, """
            a takeover would change nothing
            Ends TSM-6048."""),
    SHADOW_DRIFT(6050, WARNING, OCCURRENCE, """
            {count} entries changed without a change of cables: {text}
            The master SM, or another program, writes other tables than before. Remedy: Run torus-smctl shadow, which names \
            some; check the log of the master SM."""),
    SHADOW_FAULT(6051, INFO, """
            the fabric changed: {text}
            The master SM has to react. Cleared by TSM-6052."""),
    SHADOW_FAULT_OVER(6052, INFO, """
            tables are whole again within {seconds} s: {text}
            Ends TSM-6051. The text compares the changes of the master SM with those that this SM would have made."""),
    SHADOW_UNREAD(6053, WARNING, """
            the fabric cannot be read: {reason}
            The SM receives no answers. Cleared by TSM-6054. Remedy: Check the link of the port; run ibstat."""),
    SHADOW_READ(6054, INFO, """
            the fabric is read again
            Ends TSM-6053."""),
    SHADOW_NO_MASTER(6055, WARNING, """
            no subnet manager reports that it is master
            No SM manages the subnet. Cleared by TSM-6056. Remedy: Start an SM; shadow does not manage the subnet."""),
    SHADOW_MASTER(6056, INFO, """
            {peer} is master
            Ends TSM-6055."""),
    VIEW_REMEMBERED(6057, INFO, """
            the SA answers from the state before this SM became master: {count} switches are as they were
            The fabric and its tables are being read. Joins and other changes wait for TSM-6001."""),
    SL2VL_ONE_BY_ONE(6071, WARNING, OCCURRENCE, """
            {text}: SL2VL rows are written one by one, though it reports support for many ports in one write
            A switch does not support an option of its SwitchInfo (OptimizedSLtoVLMappingProgramming). Remedy: Install newer \
            firmware.""", DeviceText.FIELDS),

    // ---- Partitions, QoS and multicast
    PARTITIONS_ERROR(7001, ERROR, OCCURRENCE, """
            {text}
            partitions.conf cannot be used. Remedy: Correct the line, and run torus-smctl sweep."""),
    PARTITIONS_WARNING(7002, WARNING, OCCURRENCE, """
            {text}
            A line of partitions.conf has a problem. Remedy: Correct the line."""),
    PARTITIONS_KEPT(7003, ERROR, """
            the partitions stay as they are: {text}. Correct the file, and request a sweep
            partitions.conf has errors, or waits to be applied. Cleared by TSM-7006. Remedy: Correct it, and run torus-smctl \
            sweep."""),
    P_KEYS_NO_ROOM(7004, ERROR, BY_SWEEP, """
            {text}
            A port has no room for its P_Keys. Remedy: Put the port into fewer partitions.""", DeviceText.FIELDS),
    P_KEYS_LITTLE_ROOM(7005, WARNING, BY_SWEEP, """
            {text}
            A port has no room for some P_Keys. Remedy: Put the port into fewer partitions.""", DeviceText.FIELDS),
    PARTITIONS_TAKEN(7006, INFO, """
            partitions.conf is used again
            Ends TSM-7003 or TSM-1120."""),
    QOS_POLICY_IN_FORCE(7101, INFO, """
            QoS policy active: {file}
            qos-policy.conf was read."""),
    QOS_POLICY_ERROR(7102, ERROR, OCCURRENCE, """
            {text}
            qos-policy.conf cannot be used. Remedy: Correct the line, and run torus-smctl sweep.""", DeviceText.FIELDS),
    QOS_POLICY_WARNING(7103, WARNING, OCCURRENCE, """
            {text}
            A line of qos-policy.conf has a problem. Remedy: Correct the line."""),
    QOS_POLICY_KEPT(7104, ERROR, """
            the QoS policy stays as it is: {text}. Correct the file, and request a sweep
            qos-policy.conf has errors. Cleared by TSM-7101. Remedy: Correct it, and run torus-smctl sweep."""),
    QOS_WARNING(7105, WARNING, BY_SWEEP, """
            {text}
            The VL arbitration conflicts with the engine, or is not fair. Remedy: Correct the qos_ settings that are named."""),
    GROUP_NO_MLID(7201, ERROR, OCCURRENCE, """
            {file}: there is no room for multicast group {mgid}; leave some out
            MLIDs are used up. Remedy: Declare fewer groups."""),
    GROUP_KEPT(7202, INFO, """
            {file}: multicast group {mgid} has members and keeps its values until they leave
            partitions.conf changed a group in use. The change follows when the members have left."""),
    GROUP_NOT_FORWARDED(7203, WARNING, OCCURRENCE, """
            {text}
            The SL of a group cannot be carried without risk of deadlock. Remedy: Let its members leave, and create it again \
            with an SL that is named."""),
    GROUP_SL_REFUSED(7204, WARNING, OCCURRENCE, """
            a multicast group with SL {sl} was requested and refused: the active routing permits {allowed}
            Another SL could deadlock. Each SL is reported once. Remedy: Configure the creator of the group for a \
            permitted one."""),
    MULTICAST_OFF(7205, ERROR, """
            multicast is off: the active routing has no tree that is free of deadlock; joins are refused, so IPoIB does not \
            work
            The multicast entries of all switches are cleared. Cleared by TSM-7206. Remedy: Repair the fabric."""),
    MULTICAST_ON(7206, INFO, """
            multicast is on again
            Ends TSM-7205: a tree for multicast was found."""),
    MULTICAST_NO_ROOM(7207, WARNING, OCCURRENCE, """
            a switch has room for {count} multicast groups only (MulticastFDBCap): groups up to MLID {mlid} do not reach the \
            hosts behind it
            There are more MLIDs than the smallest switch supports. Remedy: Set consolidate_ipv6_snm_req = true, or use \
            fewer groups."""),
    MULTICAST_TROUBLE(7208, WARNING, OCCURRENCE, """
            multicast: {text}
            A switch did not accept its multicast tables. Remedy: Check the switch and its firmware if it lasts. Each sweep \
            tries again.""", DeviceText.FIELDS),
    MULTICAST_DEFECT(7209, ERROR, OCCURRENCE, """
            multicast tables could not be written because of a defect in this program
            The next sweep tries again. Remedy: Report it with the stack trace."""),
    MLIDS_SHARED(7210, WARNING, """
            all {count} MLIDs that the switches support are in use: from now on new multicast groups share them
            Members of groups that share an MLID receive each other's packets, and drop them. Cleared by TSM-7211. Remedy: \
            Set consolidate_ipv6_snm_req = true, or use fewer groups."""),
    MLIDS_SUFFICE(7211, INFO, """
            there are MLIDs for new multicast groups again
            Ends TSM-7210. Groups that share an MLID keep it."""),
    GROUPS_REFUSED(7212, WARNING, OCCURRENCE, """
            there are {count} multicast groups: no more are created, and their joins are refused (NO_RESOURCES; logged once)
            A host creates groups without end, or the subnet is larger than the limits of this program. Remedy: Run \
            torus-smctl mcast, which names the groups and their members; stop the host that creates them."""),
    MULTICAST_LEFT_OUT(7213, ERROR, """
            multicast bypasses {name}, and hosts behind it get none, until it complies: {reason}
            In two sweeps a switch failed to accept its multicast table. Unicast still uses it. Each light sweep tries \
            again. Cleared by TSM-6012. Remedy: Check the device and its firmware; restart it.""", DeviceText.FIELDS_WITH_ATTRIBUTE),

    // ---- The subnet administrator and its subscribers
    SA_DEFECT(8001, ERROR, OCCURRENCE, """
            no answer to SA attribute {attribute} from LID {lid} because of a defect in this program
            A query was dropped. Remedy: Report it with the stack trace."""),
    PREFIX_ROUTES_ERROR(8002, ERROR, OCCURRENCE, """
            {text}
            prefix-routes.conf cannot be used. Remedy: Correct the line, and run torus-smctl sweep."""),
    PREFIX_ROUTES_KEPT(8003, ERROR, """
            the routes to other subnets stay as they are, {count} of them; correct the file, and request a sweep
            prefix-routes.conf has errors. Cleared by TSM-8004. Remedy: Correct it, and run torus-smctl sweep."""),
    PREFIX_ROUTES_TAKEN(8004, INFO, """
            prefix-routes.conf is used again
            Ends TSM-8003."""),
    ALIAS_GUID_WITHDRAWN(8005, WARNING, OCCURRENCE, """
            alias GUID {guid} of port GUID {peer} is withdrawn: it is the GUID of a port that has appeared
            The port was unknown when another port received its GUID as an alias. Remedy: Find the program that sets alias \
            GUIDs of that port, unless this was intended."""),
    SHARE_EXHAUSTED(8006, WARNING, OCCURRENCE, """
            port GUID {guid} has {count} {text}, the limit of one port: more are refused (NO_RESOURCES; logged once)
            The host of the port registers without end, or needs more than its share. Remedy: Run torus-smctl mcast, which names \
            groups and members; requests with a secret sm_key are not limited."""),
    PARTITION_SHARE_EXHAUSTED(8007, WARNING, OCCURRENCE, """
            partition {key} has {count} {text}, the limit of one partition: more are refused, or share MLIDs (logged once)
            The members of the partition register without end, or need more than half of all. Remedy: Run torus-smctl mcast, which \
            names groups and members; requests with a secret sm_key are not limited."""),
    SUBSCRIPTIONS_DROPPED(8101, INFO, """
            {count} event subscriptions of ports that are gone are dropped
            The setting drop_event_subscriptions is set."""),
    REPORT_UNANSWERED(8102, INFO, """
            {name} does not respond: Report of trap {trap} was sent {tries} times, {count} lost since the last report; its \
            subscriptions stay until it ends them
            A subscriber is gone or does not respond. Its subscription ends with its port.""", DeviceText.FIELDS),

    // ---- Performance counters
    PORT_ERRORS(8201, WARNING, """
            {name} - {destination}: {text}
            A port counts more errors than perfmgr_thresholds allows, or its link has more bit errors than its speed allows. \
            Cleared by TSM-8202. Remedy: Check the counters (torus-smctl counters NODE PORT); reseat or replace the cable.""", DeviceText.FIELDS),
    PORT_ERRORS_OVER(8202, INFO, """
            {name}: its counters are below their thresholds again
            Ends TSM-8201.""", DeviceText.FIELDS),
    PORT_CONGESTED(8203, WARNING, """
            {name} - {destination}: {text}
            A port has more to send than it gets credits for: the path behind it is congested, or the receiver is slow. \
            Cleared by TSM-8204. Remedy: Check the loads (torus-smctl traffic) and hosts behind it that receive slowly; see \
            perfmgr_congestion.""", DeviceText.FIELDS),
    PORT_CONGESTED_OVER(8204, INFO, """
            {name} gets its credits again
            Ends TSM-8203.""", DeviceText.FIELDS),
    PORT_CONDITIONS_UNTOLD(8205, WARNING, OCCURRENCE, """
            {count} more ports count more errors, or wait longer for credits, than they should
            Only the first ports are named one by one. Remedy: Run torus-smctl counters, which lists them, the worst first."""),
    PERF_AGENT_SILENT(8206, WARNING, """
            the counters of {name} cannot be read: {reason}; retries become less frequent
            The performance management agent of a device does not respond, or rejects requests. Cleared by TSM-8207. Remedy: \
            Check the firmware of the device, and whether perfquery reads it; perfmgr_ignore_cas leaves out hosts.""", DeviceText.FIELDS),
    PERF_AGENT_ANSWERS(8207, INFO, """
            the counters of {name} can be read again
            Ends TSM-8206.""", DeviceText.FIELDS),
    PERF_POLLING_SLOW(8208, WARNING, """
            the counters of all ports are not read within perfmgr_sweep_time_s ({seconds} s); {count} devices were left
            There are more ports than perfmgr_mads_per_second and the agents allow. Cleared by TSM-8209. Remedy: Raise \
            perfmgr_sweep_time_s or perfmgr_mads_per_second."""),
    PERF_POLLING_IN_TIME(8209, INFO, """
            the counters of all ports are read within perfmgr_sweep_time_s again
            Ends TSM-8208."""),
    PERF_REDIRECTION_REFUSED(8210, WARNING, OCCURRENCE, """
            {name} redirects requests for its counters to an address that is not used: {text}
            The agent of a device names an address outside this subnet, or another P_Key or Q_Key. Remedy: Check the device; \
            perfmgr_redir = false ignores redirections.""", DeviceText.FIELDS),
    PERF_COUNTERS_RESTARTED(8211, INFO, """
            the counters of {name} count from 0 again
            An operator used the command clear-counters."""),
    CONGESTION_NOT_SET(8220, WARNING, """
            congestion control of {name} is not set: {reason}; retries become less frequent
            The device is refusing, silent, or unchanged by a Set. Cleared by TSM-8221. Remedy: Check its firmware, cc_key, and ibccquery.""", DeviceText.FIELDS),
    CONGESTION_SET(8221, INFO, """
            congestion control of {name} is no longer incomplete: {reason}
            Ends TSM-8220.""", DeviceText.FIELDS),

    // ---- State files and replication
    STATE_FILE_UNUSED(9001, ERROR, OCCURRENCE, """
            {file} is not used: {reason}. {text}; {action}
            The file is damaged. It is kept as NAME.bad, or in its place if people write it. Remedy: Follow the message, \
            which names the replacement."""),
    STATE_FILE_NOT_REPLICATED(9002, WARNING, OCCURRENCE, """
            {file} cannot be replicated: {reason}
            The file is damaged. Remedy: Check the disk of state_dir if it happens again. The next change sends the whole \
            file."""),
    STATE_FILE_WRITTEN(9003, INFO, """
            {file} is written again
            The disk accepts writes again."""),
    STATE_FILE_NOT_WRITTEN(9004, ERROR, """
            {file} cannot be written ({reason}) and stays as it is; tried again every {seconds} s. If the SM restarts before \
            that, {action}
            The disk is full or read-only. Cleared by TSM-9003. Remedy: Free disk space; the write is repeated."""),
    STATE_DIR_SLOW(9005, WARNING, OCCURRENCE, """
            state_dir is slow: the last changes are not replicated
            The disk was slow while the SM ended. Remedy: Check the disk of state_dir."""),
    STATE_LOG_TORN(9006, INFO, """
            {file}: the last record is incomplete and is left out, {count} bytes
            The process or the machine ended during a write."""),
    STATE_LOG_DAMAGED(9007, WARNING, OCCURRENCE, """
            {file} is damaged: {reason}; {action}
            The part that can be read is used. Remedy: Check the disk of state_dir. Newer files replace the damaged one."""),
    STATE_LOG_NOT_WRITTEN(9008, ERROR, """
            {file} cannot be written ({reason}); {action}
            The disk is full or read-only. Cleared by TSM-9009. Remedy: Free disk space; each new record is tried."""),
    STATE_LOG_WRITTEN(9009, INFO, """
            {file} is written again
            The disk accepts records again."""),
    HISTORY_TOO_LARGE(9010, WARNING, """
            no changes are kept: one whole state of the fabric takes {count} bytes, more than history_mib allows
            Changes are kept as differences from whole states. Cleared by TSM-9011. Remedy: Raise history_mib."""),
    HISTORY_KEPT(9011, INFO, """
            changes are kept again
            A whole state of the fabric has room in history_mib."""),
    RECORDING_WRITTEN(9051, INFO, """
            {file} contains the MADs and decisions of the last {seconds} s; written because {reason}
            The flight recorder writes after a failure, or on request. torus-sm replay shows the decisions again."""),
    RECORDING_NOT_WRITTEN(9052, WARNING, OCCURRENCE, """
            the recording of the last minutes cannot be written to {file}: {reason}
            The disk is full, or the directory cannot be written. The recorder continues. Remedy: Free disk space, then run \
            torus-smctl record."""),
    REPLICATION_NOT_LISTENING(9101, ERROR, OCCURRENCE, """
            replication does not work: {address} cannot be listened at ({reason}); tried again every {seconds} s, see \
            replication_listen and replication_peers
            The address does not belong to this host, or is not free. Remedy: Set replication_listen to an address of this \
            host."""),
    REPLICATION_OTHER_KEY(9102, ERROR, OCCURRENCE, """
            replication: {peer} has another key and is no peer; copy the same replication_key_file to all SMs of the subnet
            Key files differ. Remedy: Copy the same replication_key_file to all."""),
    REPLICATION_NOT_SENT(9103, WARNING, OCCURRENCE, """
            replication: state could not be sent ({reason}); the next change is sent
            The management network failed. Remedy: Check the network if it happens again."""),
    REPLICATION_NO_GOODBYE(9104, INFO, """
            replication: the peers could not be informed of the end in time
            The management network is slow or down. The peers detect the end."""),
    STATE_ADOPTED(9105, INFO, """
            replication: this mastership begins with the state of the previous master, last {text}
            This SM took over with its copy of the state."""),
    PEER_JOINED(9106, INFO, """
            replication: peer {peer} is connected
            A peer joined."""),
    PEER_LEFT(9107, WARNING, """
            replication: peer {peer} is gone; state that changes from now on is kept here only
            The other SM is down, or the management network. Cleared by TSM-9106. Remedy: Start the other SM."""),
    REPLICATION_REFUSED(9108, ERROR, OCCURRENCE, """
            replication: {text}
            Data of a peer cannot be used, or a file is too large to be sent. Remedy: Run the same version on all SMs."""),
    COPY_MERGED(9109, INFO, """
            replication: missing registrations of {name} are added from the copy of {peer}
            A peer had registrations that were missing here."""),
    COPY_TAKEN(9110, INFO, """
            replication: the state of term {term} is taken from {peer}
            This SM has a fresh copy of the master's state.""");

    static final String CODE = "TSM-";

    private final int number;
    private final Finding.Severity severity;
    private final String clearing; // the end of the reported state if no event ends it; otherwise empty
    private final String lines; // the text of the entry, which EventText parses at the first use
    private final Set<EventField> additionalFields; // possible fields that the text does not name

    SmEvent(int number, Finding.Severity severity, String lines) {
        this(number, severity, "", lines, Set.of());
    }

    SmEvent(int number, Finding.Severity severity, String lines, Set<EventField> more) {
        this(number, severity, "", lines, more);
    }

    SmEvent(int number, Finding.Severity severity, EventClearing clearing, String lines) {
        this(number, severity, clearing.text(), lines, Set.of());
    }

    SmEvent(int number, Finding.Severity severity, EventClearing clearing, String lines, Set<EventField> more) {
        this(number, severity, clearing.text(), lines, more);
    }

    SmEvent(int number, Finding.Severity severity, String clearing, String lines, Set<EventField> more) {
        this.number = number;
        this.severity = severity;
        this.clearing = clearing;
        this.lines = lines;
        this.additionalFields = more;
    }

    private EventText parts() {
        return EventText.of(this, lines, additionalFields);
    }

    /** Returns the event with a code; null if the catalogue has no such code. */
    public static @Nullable SmEvent ofCode(String code) {
        return EventText.event(code);
    }

    /** Returns the stable code: {@code TSM-} and four digits. */
    public String code() {
        return CODE + number;
    }

    /** Returns the level, which does not depend on the fields (docs/developer/adr/0025-levels-of-events.md). */
    public Finding.Severity severity() {
        return severity;
    }

    /** Returns the text with its fields in braces. */
    public String template() {
        return parts().template().text();
    }

    /** Returns the meaning, in a few sentences. */
    public String meaning() {
        return parts().meaning();
    }

    /** Returns the remedy; empty if no action is needed. */
    public String remedy() {
        return parts().remedy();
    }

    /** Returns the code of the event that ends the condition of this event; empty if no event does. */
    public String endCode() {
        return parts().endCode();
    }

    /** Returns the end of the reported state, as a code or one word; empty for events that report no state. */
    public String clearedBy() {
        return endCode().isEmpty() ? clearing : endCode();
    }

    /** Checks whether this event is only reported at the end of a condition, and never without one. */
    public boolean isEndOnly() {
        return parts().isEndOnly();
    }

    /** Returns the fields that the text names. Every finding has values for them. */
    public Set<EventField> textFields() {
        return parts().template().fields();
    }

    /** Returns all possible fields. */
    public Set<EventField> fields() {
        return parts().fields();
    }

    /** Returns a finding with a text of parts, for events with the text {@code {text}}; see {@link DeviceText#of}. */
    public Finding finding(Object... parts) {
        DeviceText said = DeviceText.of(parts);
        return new Finding(this, Finding.complete(List.of(EventField.TEXT.of(said.text())), said.fields()));
    }

    /** Returns the text with values in place of the fields. */
    String text(List<Value> values) {
        return parts().template().render(values);
    }
}
