package io.torussm.event;

import static io.torussm.event.Finding.Severity.ERROR;
import static io.torussm.event.Finding.Severity.INFO;
import static io.torussm.event.Finding.Severity.WARNING;

import io.torussm.event.EventField.Value;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every event that an operator may see, by rooms of a thousand codes. A code is never used for anything else, nor again once
 * its event is gone. Below each code stands the text with its fields in braces, then what it means and, after "Remedy:",
 * what to do about it; where nothing is to be done, nothing is said. docs/operator/events-reference.md is generated from here.
 */
@SuppressWarnings("ImmutableEnumChecker") // the template and the set of fields cannot be changed
public enum SmEvent {
    // ---- The process, its configuration and its interfaces
    STARTED_ON_PORT(1001, INFO, """
            port {port} of {device}, GUID {guid}
            The SM has opened its local port."""),
    ENDING(1002, INFO, """
            ending: {reason}
            The SM ends in order."""),
    DEFECT(1003, ERROR, """
            defect {count} of this program, on thread {thread}: {reason}
            An exception that no code expected; the thread goes on, or another takes its place. Remedy: Report it with the stack trace."""),
    TASK_DROPPED(1004, WARNING, """
            dropped an event, {count} are waiting: {name}
            Dumps take longer than sweeps. Remedy: Use a faster disk for dump_files_dir, or no dumps."""),
    SIGNAL_NOT_HANDLED(1005, WARNING, """
            SIG{name} cannot be handled on this JVM and keeps its default action: {reason}
            The JVM has no sun.misc.Signal. Remedy: Use OpenJDK."""),
    SLOW_END(1006, WARNING, """
            the sweep that runs did not end in time; the port is closed nevertheless
            A device was slow while the SM ended. Remedy: Nothing; the next master sweeps the whole fabric."""),
    NOTIFY_UNUSABLE(1007, WARNING, """
            the service manager is not notified: {reason} (NOTIFY_SOCKET)
            systemd will end the service for want of READY. Remedy: Look at NotifyAccess=, and whether JAVA_OPTS forks."""),
    NOTIFY_FAILED(1008, WARNING, """
            the service manager could not be notified: {reason}
            A message to systemd was lost; the next one carries what it said. Remedy: Look at NotifyAccess= if it goes \
            on."""),
    HALTED(1009, ERROR, """
            this process ends at once: {reason}
            The virtual machine has an error after which nothing in memory can be trusted, or the orderly end hangs. Remedy: \
            systemd starts it again; give it more memory (JAVA_OPTS) or report it with the stack trace."""),
    FEW_DESCRIPTORS(1010, WARNING, """
            this process may open {count} files and connections only, which may not be enough
            Clients of the console, of HTTP and of the replication, and the state files, need descriptors. Remedy: Allow 1024 \
            (ulimit -n, or LimitNOFILE in the unit)."""),
    CONFIGURATION_READ(1101, INFO, """
            configuration read again
            SIGHUP, and the files were sound."""),
    CONFIGURATION_ERROR(1102, ERROR, """
            {text}
            A setting or a file that it names is wrong. Remedy: Correct the line that is named; torus-sm \
            --check-config shows all of them."""),
    CONFIGURATION_KEPT(1103, ERROR, """
            the old configuration stays in force
            SIGHUP with a file that cannot be used. Over with 1101. Remedy: Correct what was listed, and reload again."""),
    SWEEPS_FOR_LEASE(1104, WARNING, """
            light sweeps come every {milliseconds} ms instead of every sweep_interval, so that no M_Key lease runs out \
            (m_key_lease_period)
            m_key_lease_period is short. Remedy: Lengthen the lease, or leave it."""),
    LOG_LEVEL_CHANGED(1105, INFO, """
            log level {level}, asked for on the console
            Somebody used the command loglevel."""),
    LOG_REOPENED(1106, INFO, """
            log file {file} reopened
            SIGUSR1, as logrotate sends it."""),
    LOG_NOT_REOPENED(1107, ERROR, """
            log file {file} cannot be reopened and the old one stays in use: {reason}
            The new file cannot be made. Remedy: logrotate must make the file for user torus-sm."""),
    DUMP_FAILED(1108, ERROR, """
            tables could not be dumped to {file}: {reason}; see dump_files_dir
            The directory is missing or cannot be written. Remedy: Make the directory; under systemd add it to \
            ReadWritePaths=."""),
    CONFIGURATION_WARNING(1109, WARNING, """
            {text}
            A setting has an old name. Remedy: Write the new one."""),
    SETTINGS_CHANGED(1110, INFO, """
            settings changed, {text}
            SIGHUP: these values are in force now, or with the next sweep."""),
    SETTINGS_WAITING(1111, WARNING, """
            settings changed that take effect {text}
            SIGHUP: these settings are only read at the start. Remedy: Restart the service when that suits."""),
    PARTITIONS_HELD(1120, ERROR, """
            {text}
            partitions.conf is free of errors, but would change the P_Keys of more end ports than max_partition_change allows \
            without a question. Over with 7006. Remedy: torus-smctl partitions preview; if that is meant, torus-smctl partitions apply."""),
    NAMES_ERROR(1121, ERROR, """
            {text}
            The node name map or the site map cannot be used. Remedy: Correct the line, torus-smctl sweep."""),
    NAMES_WARNING(1122, WARNING, """
            {text}
            A line of the node name map does not say what its author may think. Remedy: Correct the line."""),
    NODE_NAMES_KEPT(1123, ERROR, """
            {count} nodes keep the names that they had; correct the node name map, and ask for a sweep
            The node name map has errors. Over with 1124. Remedy: Correct it, torus-smctl sweep."""),
    NODE_NAMES_TAKEN(1124, INFO, """
            the node name map is used again
            The end of event 1123."""),
    SITE_MAP_KEPT(1125, ERROR, """
            racks and labels of cables stay as they were in {file}; correct the site map, and ask for a sweep
            The site map has errors. Over with 1126. Remedy: Correct it, torus-smctl sweep."""),
    SITE_MAP_TAKEN(1126, INFO, """
            the site map is used again
            The end of event 1125."""),
    RUN_TIME_CHANGE(1127, INFO, """
            {name} changes members of a partition, {text}; {count} changes of it since the last such line
            Somebody used the command partition, or the HTTP API. One line a minute for each partition."""),
    RUN_TIME_CHANGE_UNCONFIRMED(1128, WARNING, """
            a change of members of {key} at run time is not confirmed by {count} ports, {name}
            A device did not take its P_Key table. The change is kept, and the next sweep tries again. Over with 1129. Remedy: \
            Look at the device."""),
    RUN_TIME_CHANGE_CONFIRMED(1129, INFO, """
            all ports have the P_Keys that were changed at run time
            The end of event 1128."""),
    RUN_TIME_CHANGE_ABANDONED(1130, ERROR, """
            a change of members of {key} at run time is abandoned because of a defect in this program
            The change is kept, and the next sweep tries again. Remedy: Report it with the stack trace."""),
    LINK_HELD_DOWN_BY_DRAIN(1131, INFO, """
            {name} is taken down for the drain of {text}
            Somebody ordered the drain, or a cable is isolated. The link stays in INITIALIZE until undrain, and event 6016 reports \
            that it is over.""", DeviceText.FIELDS),
    PORT_OPENING(1132, INFO, """
            opening {text}
            The driver or the simulated fabric is asked for a port. If no further line comes, it does not answer."""),
    SINGLE_FAILURE_COST(1133, INFO, """
            {text}
            The failure precheck found the price of a loss in a fabric of which nothing is lost. All would be served all the same. \
            Said of one cable for each routing; torus-sm what-if tells it of others.""", DeviceText.FIELDS),
    PEERS_AWAITED(1141, INFO, """
            before this SM {action} it waits for what its peers of replication know, for {seconds} s at most; connected: {text}
            What it holds itself may be older: members of partitions, keys, drains or registrations could be missing. Over with \
            1142 or 1143. Remedy: None is needed; see replication_wait."""),
    PEERS_HEARD(1142, INFO, """
            what the peers of replication know is here, after {milliseconds} ms
            The end of event 1141."""),
    PEERS_NOT_HEARD(1143, WARNING, """
            not every peer of replication was heard within {seconds} s: this SM goes on with what it knows itself, which may be older; \
            connected: {text}
            The end of event 1141. What a peer knows is added when it is heard. Remedy: Start the peer; look at the management network."""),
    STATE_DIR_MISSING(1150, ERROR, """
            state_dir {file} cannot be made ({reason}): nothing is kept on the disk, the subnet is served all the same
            A full or read-only disk at a start. LIDs, groups and keys are in memory only and are lost at the end of the process, \
            unless the directory can be made before. Over with 1151. Remedy: Make room, or name another state_dir; it is tried \
            each 30 s."""),
    STATE_DIR_MADE(1151, INFO, """
            state_dir {file} is there: files are written from now on
            The end of 1150."""),
    CONSOLE_UNAVAILABLE(1201, WARNING, """
            no console: {reason}; see control_socket
            Another program has control_socket, or its directory is missing; the SM runs without it. Remedy: Name \
            another control_socket, or make its directory."""),
    CONSOLE_NOT_LOOPBACK(1202, ERROR, """
            no console on {address}: it is no address of this host's loopback; see console_listen
            The console has no password, so it listens on the loopback only. Remedy: Name 127.0.0.1 or ::1 in \
            console_listen."""),
    CONSOLE_NOT_LISTENING(1203, ERROR, """
            no console on {address}: {reason}; see console_listen
            The port is not free. Remedy: Name another port in console_listen."""),
    CONSOLE_SOCKET_LEFT(1204, WARNING, """
            {file} stays behind: {reason}
            The socket of the console could not be removed. Remedy: Nothing; the next start replaces it."""),
    CONSOLE_DEFECT(1205, ERROR, """
            defect of this program in console command "{text}"
            A command failed unexpectedly; the SM goes on. Remedy: Report it with the stack trace."""),
    HTTP_UNAVAILABLE(1211, ERROR, """
            no metrics, health and web page: {reason}; see http_listen
            http_listen is not free, or not an address of this host; the SM runs without it. Remedy: Give each \
            torus-sm a port of its own."""),
    HTTP_LISTENING(1212, INFO, """
            metrics, health and a picture of the fabric: http://{address}/
            The HTTP server is open."""),
    HTTP_EXPOSED(1213, WARNING, """
            http_listen {address} is not a loopback address: anybody who reaches it sees the whole fabric, without a \
            password
            The HTTP server listens beyond this host. Remedy: Restrict who reaches it, or listen on the loopback."""),
    HTTP_DEFECT(1214, ERROR, """
            defect of this program in an answer over HTTP
            A request failed unexpectedly; the SM goes on. Remedy: Report it with the stack trace."""),

    CLIENT_NOT_ACCEPTED(1215, WARNING, """
            no client is accepted at {address} for now: {reason}
            Most likely this process has no file descriptors left. Remedy: Raise LimitNOFILE or ulimit -n; see who has so many \
            connections open."""),
    CLIENTS_ACCEPTED(1216, INFO, """
            clients are accepted at {address} again
            The condition of TSM-1215 is over."""),
    ALERTS_WAIT(1221, WARNING, """
            alerts do not reach {address}: {reason}
            The program or the web server that alerts are for does not take them; they are kept, 1,000 events at most, and tried \
            again every minute. Over with 1222. Remedy: See to the program (alert_program) or the server (alert_url)."""),
    ALERTS_DELIVERED(1222, INFO, """
            alerts reach {address} again
            What was kept has been delivered."""),
    ALERT_REFUSED(1223, WARNING, """
            {address} refused an alert: {reason}
            The program ended with another status than 0 and 75, or the server answered with a status from 300 to 499; this alert is \
            not tried again. Remedy: See to the program (alert_program) or the address (alert_url)."""),

    HTTPS_UNAVAILABLE(1224, ERROR, """
            no HTTPS: {reason}
            https_listen is not free, or a file that it needs cannot be used; the SM runs without it. Remedy: Do as the message says \
            and restart; torus-sm --check-config looks at the files."""),
    HTTPS_LISTENING(1225, INFO, """
            HTTPS for {count} users: https://{address}/
            The HTTPS server is open; it answers users of https_users only."""),
    HTTPS_FILES_READ(1226, INFO, """
            certificate and users of HTTPS read again: {count} users, and the certificate ends {text}
            SIGHUP reads https_certificate, https_key, https_client_ca and https_users again. New connections have the new \
            certificate; streams of events end, so that their users are asked again."""),
    HTTPS_FILES_KEPT(1227, ERROR, """
            certificate and users of HTTPS stay as they were: {reason}
            A file of HTTPS cannot be used; what was read before stays in force, all of it. Remedy: Correct the file that is named, and \
            send SIGHUP; torus-sm --check-config looks at it."""),
    HTTPS_CERTIFICATE_ENDS(1228, WARNING, """
            the certificate {file} ends {text}
            The certificate of HTTPS ends within two weeks, or has ended; then no client trusts it. Remedy: Renew it, and send SIGHUP."""),
    HTTPS_LOGIN_FAILED(1229, WARNING, """
            {count} requests over HTTPS from {address} were refused, the last because {reason}
            Somebody shows a wrong token or a certificate that is not known, or speaks no TLS. Told once a minute for each address; after \
            ten the address has to wait. Remedy: Give the client a token that has a line in https_users; if it is none of yours, see who \
            reaches the port."""),
    CHANGE_ASKED(1230, INFO, """
            {user} at {address} asked: {action}; {text}
            Somebody changed something, or tried: over HTTPS, or on the console. The last words are the outcome."""),
    CHANGE_REFUSED(1231, WARNING, """
            {user} at {address} may not ask: {action}
            A user of https_users asked for what calls for a higher role. Remedy: Nothing, or give the user that role."""),

    // ---- The embedded fabric as a server (torus-sm fabric)
    FABRIC_CLIENT_ATTACHED(1301, INFO, """
            {address} sits at {name} now
            A program has attached itself to the fabric that torus-sm fabric serves."""),
    FABRIC_CLIENT_REFUSED(1302, WARNING, """
            {address} was not attached: {reason} ({count} refusals since the last line)
            A program named a host that there is not, or there are too many. Remedy: Set SIM_HOST to a node of the topology, or \
            allow more (--max-clients)."""),
    FABRIC_CLIENT_DIED(1303, INFO, """
            {address} at {name} is gone without a word
            A client of the fabric ended without taking leave; its IsSM is cleared."""),

    FABRIC_FAULT(1310, INFO, """
            {user}: {action}{text}
            A line of the console of torus-sm fabric, of a person or a script, was carried out, or was not. Nothing of real \
            hardware has changed."""),
    FABRIC_TRAFFIC_LOST(1311, INFO, """
            {count} packets of the fabric's own traffic were lost since the last line: {reason}
            The fabric that torus-sm fabric serves sends packets of all hosts to all, and not all arrived. That is what it is \
            for while something is broken; else the tables in its switches are not right."""),

    // ---- The local port and the transport of MADs
    PORT_GONE(2001, ERROR, """
            the port is gone: {reason}
            It cannot be opened again in this process; the SM ends with exit code 4. Remedy: systemd starts it again; \
            look at the adapter."""),
    PORT_UNAVAILABLE(2002, ERROR, """
            {reason}
            No port of this host can be opened. Remedy: Do as the message says: load ib_umad, join group rdma, or stop \
            the other SM."""),
    MAD_RECEIVER_FAILED(2003, ERROR, """
            {device}: a received MAD was dropped, the receiver failed
            A defect of this program. Remedy: Report it with the stack trace."""),
    RECEIVE_THREAD_HANGS(2004, ERROR, """
            {device}: the receive thread does not end, the port stays open until the process does
            A defect of the driver or of this program. Remedy: Report it."""),
    MAD_HANDLER_FAILED(2005, ERROR, """
            the handler of an unsolicited MAD failed; the MAD is dropped
            A defect of this program. Remedy: Report it with the stack trace."""),
    CONTINUATION_FAILED(2006, ERROR, """
            a continuation failed; its stage goes on without it
            A defect of this program. Remedy: Report it with the stack trace."""),
    FAILURE_HANDLER_FAILED(2007, ERROR, """
            the handler of a failed continuation failed itself
            A defect of this program. Remedy: Report it with the stack trace."""),
    PORT_AWAY(2008, ERROR, """
            the port is gone, and is opened again when it is back: {reason}
            The adapter was removed or reset, or its driver unloaded. Over with 2009. Remedy: Nothing, if somebody did that; else look at \
            the adapter."""),
    PORT_BACK(2009, INFO, """
            the port is back: port {port} of {device}
            What TSM-2008 reported is over."""),
    PORT_AWAITED(2010, WARNING, """
            waiting for a port: {reason}
            The host is up before its adapter, or the switches are. Over with 2011. Remedy: Nothing, unless it stays so: do as the message \
            says."""),
    PORT_FOUND(2011, INFO, """
            there is a port, after {seconds} s
            What TSM-2010 reported is over."""),
    OWN_LINK_LOST(2012, WARNING, """
            {device} has lost its link
            The cable of the SM's own port, or the switch behind it. Over with 2013. Remedy: Look at both, unless somebody pulled it."""),
    OWN_LINK_BACK(2013, INFO, """
            {device} has a link again
            What TSM-2012 reported is over."""),
    SEND_HANGS(2014, ERROR, """
            {device}: a send does not return, the port stays open until the process ends
            The driver, or the simulator, does not take a MAD. Remedy: Look at the adapter and the kernel's log."""),
    CAPTURE_BROKEN(2101, ERROR, """
            the MAD capture {file} ends here, the subnet manager goes on: {reason}
            The file of the capture cannot be written. Remedy: Make room, and start another capture."""),
    CAPTURE_INTERRUPTED(2102, ERROR, """
            the MAD capture {file} was interrupted and is not complete
            The SM ended while the file was written. Remedy: End the capture before the SM, if all of it is wanted."""),
    CAPTURE_SLOW(2103, WARNING, """
            the MAD capture {file} could not be completed within {milliseconds} ms
            The disk is slow. Remedy: Capture to a faster disk."""),
    CAPTURE_INCOMPLETE(2104, WARNING, """
            the MAD capture {file} lacks {count} MADs: the file did not keep up
            The disk is slow. Remedy: Capture to a faster disk."""),

    // ---- Adoption and return
    TAKEOVER_ASKED(2141, INFO, """
            the subnet is to be taken over from {name}: this SM has priority {count} from now on
            An operator asked for it (takeover). The master hands over to an SM of higher rank. Remedy: Set sm_priority to \
            at least that, or the subnet goes back when the configuration is read again."""),
    TAKEOVER_FAILED(2142, WARNING, """
            the subnet was not taken over: {reason}
            An operator asked for it (takeover). Remedy: Give both the same sm_key; see that the master sweeps; or stop it."""),
    OPENSM_FILES_WRITTEN(2143, INFO, """
            what OpenSM needs to go on is in {file}
            An operator gives the subnet back (release). The files hold keys. Remedy: Start OpenSM with them; see migration.md."""),

    // ---- Mastership
    STANDBY(3001, INFO, """
            another subnet manager is master: {peer}
            This SM stands by. Remedy: Nothing, or stop an SM that was forgotten; sm_priority decides."""),
    ANOTHER_MASTER(3002, ERROR, """
            another subnet manager is master: {peer}
            One sweep was asked for, which another SM does not allow. Remedy: Stop the other SM, or sweep where it \
            runs."""),
    MASTERSHIP_CHANGED(3003, INFO, """
            mastership: {text}
            The state of this SM or of another one changed."""),
    MASTERSHIP_TROUBLE(3004, WARNING, """
            mastership: {text}
            What another SM does is not as IBA says, or two are masters. Remedy: The message names both; stop one."""),
    SWEEP_NOT_MASTER(3005, INFO, """
            no sweep: this SM is {state}, only the master sweeps
            A sweep was asked for on an SM that is not master. Remedy: Ask the master."""),
    SM_IGNORED(3006, WARNING, """
            the subnet manager with port GUID {guid} is ignored: {reason}
            It shows another SM_Key, or is not trusted. Remedy: Use the same sm_key on all; see trusted_sm_keys and \
            trusted_sm_guids."""),
    ACKNOWLEDGE_REFUSED(3007, INFO, """
            {peer} does not take the ACKNOWLEDGE: {reason}
            A handover was not completed by the other SM. Remedy: Nothing; it is tried again."""),
    NO_TRAP_144(3008, INFO, """
            no trap 144 to the master: the local port does not know its LID
            The port is not set up yet."""),
    IS_SM_CLEARED(3009, WARNING, """
            the local port no longer says that it has a subnet manager (CapabilityMask.IsSM); it is set again
            Somebody cleared IsSM. Remedy: Look for another program with /dev/infiniband/issm*."""),
    IS_SM_NOT_SET(3010, ERROR, """
            other subnet managers do not see this one: {reason}
            CapabilityMask.IsSM cannot be set. Remedy: Stop the other SM of this port, or correct the rights of \
            /dev/infiniband/issm*."""),
    STOOD_STILL(3013, WARNING, """
            this process stood still for {milliseconds} ms: the fabric is read anew before anything is written
            It was stopped, or its machine was, or starved; another SM may have become master meanwhile. What was about to be \
            written is not. Remedy: Nothing, if that was meant; else look for what stops the machine, or give it processors."""),
    KEYS_PUBLIC(3014, WARNING, """
            {text}
            A default of m_key, sm_key or m_key_protection_level is in force, which protects nothing from programs on hosts. Over with \
            3015. Remedy: torus-smctl keys new; see protection.md."""),
    KEYS_SECRET(3015, INFO, """
            m_key and sm_key protect the fabric now
            What TSM-3014 reported is over."""),
    KEYS_CHANGED(3016, INFO, """
            {action} in force
            torus-smctl keys at this SM, or at the master, whose keys were copied here."""),
    SM_UNPROVED(3017, WARNING, """
            unproved subnet manager at port GUID {guid} {name}: keys and the subnet are not handed to it
            m_key or sm_key is secret, and another master or standby has not proved that it belongs to this subnet. This SM stays master \
            beside it. Over with 3018. Remedy: If it is yours, list the port GUIDs of both in trusted_sm_guids, or connect both by \
            replication_peers; else stop it."""),
    SM_PROVED(3018, INFO, """
            the subnet manager at port GUID {guid} is proved, gone, or the master
            What TSM-3017 reported is over."""),

    // ---- Devices, links and traps
    FABRIC_ANOMALY(4001, WARNING, """
            {text}
            Duplicate GUIDs, links that lead elsewhere from their other end, or values that IBA does not allow. \
            Remedy: Look at the devices that are named, and at their firmware.""", DeviceText.FIELDS),
    NODE_RENAMED(4002, INFO, """
            {name} is called "{text}" now
            A node changed its description.""", DeviceText.FIELDS),
    SYSTEM_CHANGED(4003, INFO, """
            {name} belongs to the system with SystemImageGUID {guid} now
            A node changed its SystemImageGUID.""", DeviceText.FIELDS),
    LID_CHANGED(4004, WARNING, """
            {text}
            A port has another LID than before, or two ports claimed the same one. Remedy: Nothing, unless it happens \
            again.""", DeviceText.FIELDS),
    CABLES_FORGOTTEN(4005, ERROR, """
            {count} cables of {file} are forgotten, since their other end leads elsewhere; the first is at {name}
            Cables were moved while the SM was down. Remedy: Compare with the plan if no cable was moved; they are \
            learned anew.""", DeviceText.FIELDS),
    DEVICES_CHANGED(4006, INFO, """
            light sweep: {count} devices changed or no longer answer, the first is {name}
            A heavy sweep follows.""", DeviceText.FIELDS),
    HOST_GONE(4007, INFO, """
            {name} is gone; it was cabled to {destination}
            A host is switched off, its cable is pulled, or what it hangs on is gone. Routes and its LID stay.""", DeviceText.FIELDS),
    HOST_BACK(4008, INFO, """
            {name} is there, cabled to {destination}{text}
            A host came back, or is new; the text says where it was before, if that was elsewhere.""", DeviceText.FIELDS),
    HOSTS_CHANGED(4009, INFO, """
            {gone} more hosts are gone, {back} more are there
            Many hosts came or went at once; torus-smctl absent lists all that are gone."""),
    CABLE_LOST(4010, WARNING, """
            {name} has lost its cable to {destination}{text}
            A cable between two switches is pulled, broken or disabled at one end. Over with 4011. Remedy: Look at the \
            cable and its plugs at both ends.""", DeviceText.FIELDS),
    CABLE_BACK(4011, INFO, """
            the cable of {name} to {destination} is {text}
            The end of 4010: the cable is back, or one of its ends has another one.""", DeviceText.FIELDS),
    SWITCH_LOST(4012, WARNING, """
            switch {name}{text}
            A switch is off, or no cable leads to it any more. It lasts until its cables are back, too. Over with 4013. \
            Remedy: Look at its power and its cables.""", DeviceText.FIELDS),
    SWITCH_BACK(4013, INFO, """
            switch {name} is {text}
            The end of 4012: the switch and all of its cables are back, or other cables are in their ports.""", DeviceText.FIELDS),
    MANY_LOST(4014, WARNING, """
            {text}
            Switches of one rack, or more than a few switches or cables, were lost at the same time. Over with 4015. \
            Remedy: Look at what they have in common, such as power; torus-smctl absent lists all.""", DeviceText.FIELDS),
    MANY_BACK(4015, INFO, """
            {text}
            The end of 4014: all are back, or other cables are in their ports.""", DeviceText.FIELDS),
    PARTLY_BACK(4016, INFO, """
            {text}
            A part of what 4012 or 4014 reported is back; the rest is still absent.""", DeviceText.FIELDS),
    LID_RESTORED(4030, WARNING, """
            {text}
            A port reports another LID than this subnet manager gave it: another program wrote it, the adapter comes from another subnet, or \
            its answer is false. Its own LID is written again, and no other port is renumbered. Remedy: Look for another subnet manager, or \
            for a program that sets LIDs, if the adapter was not moved.""", DeviceText.FIELDS),
    NO_LID_LEFT(4031, ERROR, """
            {text}
            There are more end ports than LIDs that the switches forward. The port is left out, and all others are served. Remedy: Lower \
            lmc, remove end ports, or start with reassign_lids if LIDs of ports that are gone for good are in the way.""", DeviceText.FIELDS),
    SWITCH_CLAIMS_FEW_LIDS(4032, WARNING, """
            {text}
            A switch reports a smaller LinearFDBCap than LIDs in use need. Its tables are written all the same, and it is left out if it \
            rejects them. Remedy: Look at its firmware; replace it if it is too small for this subnet.""", DeviceText.FIELDS),
    LINK_HAS_FEW_VLS(4033, WARNING, """
            {text}
            A link has fewer data VLs than torus-2QoS needs to keep rings apart, and most others have enough. Routes lead around the \
            cable, and all others stay as they are. Remedy: Look at the port and its firmware; when it reports its VLs again, train the link \
            again (torus-smctl bounce).""", DeviceText.FIELDS),
    TRAP_RECEIVED(4101, INFO, """
            {name} reports {text} (trap {trap})
            A port reports something.""", DeviceText.FIELDS),
    VENDOR_NOTICE_RECEIVED(4102, INFO, """
            {name} reports trap {trap} of its vendor {text}
            A port reports something that IBA does not define. Remedy: See the vendor's manual.""", DeviceText.FIELDS),
    LINK_FLAPPING(4103, WARNING, """
            {name} reports a change for the {count}th time in short order, a link there may be flapping; sweeps for it \
            become rarer until it has been quiet for a while
            Traps 128 come again and again: more than four bursts of them without 30 s of quiet in between. Remedy: Look \
            at the cables of the switch.""", DeviceText.FIELDS),
    LINK_ERRORS(4104, INFO, """
            {name} complains of {text} (trap {trap})
            Traps 129 to 131: bit errors, overruns or flow control. Remedy: Nothing, unless it goes on.""", DeviceText.FIELDS),
    PORT_UNHEALTHY(4105, WARNING, """
            {name} complains again and again of {text} (trap {trap}) and counts as unhealthy until it has been quiet \
            for a minute; look at the cable and its plugs
            Traps 129 to 131 without end. Remedy: Replace the cable.""", DeviceText.FIELDS),
    PORT_BABBLING(4106, WARNING, """
            {name} keeps complaining; pull or replace the cable, or set babbling_port_policy = true
            The traps of a bad link do not cease. Remedy: Replace the cable.""", DeviceText.FIELDS),
    OWN_PORT_BABBLING(4107, WARNING, """
            {name} keeps complaining; pull or replace the cable, by which this SM is connected itself
            The traps of a bad link do not cease, and the port cannot be disabled without losing the fabric. Remedy: \
            Replace the cable.""", DeviceText.FIELDS),
    PORT_DISABLED(4108, WARNING, """
            {name} keeps complaining; {destination} is disabled (babbling_port_policy); when the cable is replaced, \
            enable it again with ibportstate
            The SM disabled a port whose traps did not cease. Remedy: After the repair: ibportstate LID PORT enable.""", DeviceText.FIELDS),
    PORT_NOT_DISABLED(4109, WARNING, """
            {name} cannot be disabled: {reason}
            The port did not take it. Remedy: Disable it by hand.""", DeviceText.FIELDS),
    M_KEY_REFUSED(4110, INFO, """
            {name} refused an SMP of this SM: its M_Key is another one, or is being changed; the other known ones are \
            tried
            Trap 256 about this SM itself.""", DeviceText.FIELDS),
    M_KEY_VIOLATION(4111, WARNING, """
            {name} shows a wrong M_Key, {count} SMPs were refused since the last report, the latest {text}; what \
            manages or probes the fabric from there needs the M_Key, or has no business there
            Trap 256: a program without the key probes the fabric. Remedy: Give it the M_Key, or stop it.""", DeviceText.FIELDS),
    P_KEY_VIOLATION(4112, WARNING, """
            {name} sends packets with a wrong P_Key, {count} complaints since the last report, the latest by \
            {reporter}: {key} to {destination}; who may talk with whom is said in partitions.conf
            Trap 257 or 259: a host uses a P_Key that is not its own. Remedy: Correct partitions.conf, or the host.""", DeviceText.FIELDS),
    Q_KEY_VIOLATION(4113, WARNING, """
            {name} sends packets with a wrong Q_Key, {count} complaints since the last report, the latest by \
            {reporter}: {key} to {destination}
            Trap 258: a host uses a Q_Key that is not its own. Remedy: Correct the host.""", DeviceText.FIELDS),
    LINK_ENDS_DIFFER(4201, WARNING, """
            {name} and {destination}, the ends of one cable, do not agree: {text}
            Packets that suit one end are dropped at the other. A working link is not taken down for it. Over with 4202. Remedy: \
            torus-smctl bounce NODE PORT, which first shows what the loss of the link does meanwhile.""", DeviceText.FIELDS),
    LINK_ENDS_AGREE(4202, INFO, """
            {name} and {destination} agree on their {text} again, or are no ends of one cable any more
            The end of event 4201.""", DeviceText.FIELDS),
    LINK_SPEED_UNKNOWN(4203, WARNING, """
            {name}, cabled to {destination}, works at a speed that is newer than this program: {text}
            Paths over the link have the fastest rate that is known for its width. Over with 4204. Remedy: Use a newer version.""", DeviceText.FIELDS),
    LINK_SPEED_KNOWN(4204, INFO, """
            {name}, cabled to {destination}, works at a speed that is known, or is no more
            The end of event 4203.""", DeviceText.FIELDS),
    PORT_BOUNCED(4205, INFO, """
            {name} was set Down, so that its link trains anew
            Somebody used the command bounce; the link comes back within seconds, and is configured anew.""", DeviceText.FIELDS),
    PORT_NOT_BOUNCED(4206, WARNING, """
            {name} could not be set Down: {reason}
            Somebody used the command bounce, and the device did not answer or refused. Remedy: Try again, or pull the \
            cable.""", DeviceText.FIELDS),
    ADAPTIVE_ROUTING_ON(4301, WARNING, """
            {name} routes by itself: {text} left on by another manager
            Packets do not keep to the forwarding tables that are proved, so the certificate does not hold for them. Over with 4302. Remedy: \
            Switch it off in that manager (UFM, MLNX OpenSM) and restart the switches; see the page on migration.""", DeviceText.FIELDS),
    ADAPTIVE_ROUTING_OFF(4302, INFO, """
            {name} keeps to its forwarding tables again, or is gone
            The end of event 4301.""", DeviceText.FIELDS),

    // ---- Routing
    ROUTING_ERROR(5001, ERROR, """
            {text}
            An engine cannot route this fabric. If another engine of routing_engine can, 5031 says so instead. \
            Remedy: The message says what to correct.""", DeviceText.FIELDS),
    ROUTING_WARNING(5002, WARNING, """
            {text}
            An engine routes, but something should be looked at. Remedy: Look at the file, device or setting that the message names.""", DeviceText.FIELDS),
    ROUTING_NOTE(5003, INFO, """
            {text}
            An engine explains what it did.""", DeviceText.FIELDS),
    ROUTING_REFUSED(5004, ERROR, """
            routing refused, the switches keep what they have: {reason}
            No engine routes the fabric without credit loops. Remedy: Correct what the reasons name; no \
            route was changed."""),
    SINGLE_FAILURE(5005, WARNING, """
            {text}
            The failure precheck found cables that nothing can stand in for. Remedy: Repair what is down already.""", DeviceText.FIELDS),
    PRECHECK_DEFECT(5006, ERROR, """
            the failure precheck of a cable ended in a defect of this program
            Routing is not concerned. Remedy: Report it with the stack trace."""),
    PROOF_DOUBTED(5007, ERROR, """
            the proof of the routes in force, made from the proof before, is not what a whole one gives: {text}
            A defect of this program; the routes are computed and proved anew, as a whole. Remedy: Report it, with a recording \
            (torus-smctl record)."""),
    PROOF_DONE(5009, INFO, """
            {text}
            The routes are proved free of credit loops."""),
    CREDIT_LOOP(5010, WARNING, """
            {text}
            An engine does not promise freedom from deadlock, and this fabric can deadlock; on_credit_loop = warn accepts \
            that. Remedy: Use routing_engine = "torus-2QoS", or accept it."""),
    MULTICAST_TREE_CHANGED(5011, INFO, """
            {text}
            The tree that the engine proposed could deadlock together with its unicast routes. Multicast uses another tree, \
            which is proved. Nothing is broken.""", DeviceText.FIELDS),
    MULTICAST_TREE_MISSING(5012, ERROR, """
            {text}
            No tree for multicast is free of deadlock. Remedy: Repair the fabric; IPoIB does not work meanwhile."""),
    TABLES_UNSOUND(5013, ERROR, """
            {text}
            The tables of an engine failed their check and are not written: a defect of the engine, or a fabric that \
            can deadlock. Remedy: Report it with the topology (fabric.topo of a dump)."""),
    SLS_CHANGED(5014, ERROR, """
            {text}
            Datelines or seeds were edited, or the place of a switch; granted path SLs are no longer those in force. \
            Remedy: Hosts must ask for paths again; go back if it was not wanted."""),
    SWITCH_GONE(5015, WARNING, """
            since the last run: switch {name} is gone
            The switch was there when the SM ran last. Remedy: Nothing, if it was meant.""", DeviceText.FIELDS),
    SWITCH_MOVED(5016, WARNING, """
            since the last run: switch {name} has moved to {coordinates}
            The switch had another place in the torus. Remedy: Nothing, if it was meant.""", DeviceText.FIELDS),
    SWITCH_NEW(5017, INFO, """
            since the last run: switch {name} is new
            The switch was not there when the SM ran last.""", DeviceText.FIELDS),
    SWITCHES_CHANGED(5018, WARNING, """
            since the last run: {count} more switches changed
            More changes than are listed one by one. Remedy: Nothing, if it was meant."""),
    PROOF_LIMITED(5019, WARNING, """
            {text}
            A switch hangs, or is left out, and its data plane goes on by old tables for the moment. Over when 6015 says that \
            its links are down. Remedy: Look at the switch; restart it.""", DeviceText.FIELDS),
    STALE_CREDIT_LOOP(5020, WARNING, """
            {text}
            Together with the old tables of a switch that hangs the new routes could deadlock, until the links to it are down. \
            Remedy: Restart the switch, or pull its cables, if traffic stands still.""", DeviceText.FIELDS),
    ROUTES_DEGRADED(5021, WARNING, """
            DEGRADED: {text}
            The engine refused the fabric as it is. Routes that it would have are kept, others are bent; all are proved free of \
            credit loops, and SLs are as they were. Over with 5022. Remedy: Repair what the reason names."""),
    ROUTES_WHOLE(5022, INFO, """
            routes are no longer degraded: {text}
            The end of event 5021."""),
    ENGINE_FILES_KEPT(5023, ERROR, """
            what the files of {text} said before stays in force, since they cannot be used now: see the lines before
            A file of a routing engine has errors. Routing goes on with the version that was read last. Over with 5024. Remedy: \
            Correct the file, and ask for a sweep."""),
    ENGINE_FILES_TAKEN(5024, INFO, """
            the files of {text} are used again
            The end of event 5023."""),
    ROUTES_STAYING(5025, WARNING, """
            the routes of before stay in force: {text}
            No engine routes the fabric as it is, see 5004. Tables, SLs and groups are as they were; hosts and switches that \
            they serve come, go and restart as ever. Pairs without a route get no PathRecord. Over with 5026. Remedy: Repair \
            what 5004 names."""),
    ROUTES_COMPUTED(5026, INFO, """
            the fabric is routed again by {text}
            The end of event 5025 or 5027."""),
    ROUTES_ADOPTED(5027, WARNING, """
            the routes that the switches hold are adopted: {text}
            No engine routes the fabric as it is, see 5004, and this SM has not routed it before. What the switches hold was read, and \
            is free of credit loops with the SLs that coordinates give. Pairs without a route get no PathRecord. Over with 5026. \
            Remedy: Repair what 5004 names."""),
    ROUTES_NOT_ADOPTED(5028, ERROR, """
            the routes that the switches hold are not adopted, and no path is given: {text}
            No engine routes the fabric as it is, see 5004, and nobody can vouch for what the switches hold. They go on to forward by \
            it. Remedy: Repair what 5004 names, or let routing_engine have a fallback."""),
    FINDING_OVER(5030, INFO, """
            over: {text}
            What an earlier line of the code that is named reported is so no more.""", DeviceText.FIELDS),
    FALLBACK_ENGINE(5031, WARNING, """
            routed by {text}
            An engine that routing_engine names later, or the default engine minhop, stands in, since those before it refused. The \
            routes are proved as always, but most of them can be others than before. Over with 5032. Remedy: Repair what the reason names."""),
    FIRST_ENGINE(5032, INFO, """
            the first engine of routing_engine is in use again
            The end of event 5031."""),
    SWITCH_PORT_LOOP(5033, WARNING, """
            {text}
            Hosts and groups are proved free of deadlock, but not together with packets from or to ports 0 of switches, such as those of \
            a performance manager; on_switch_port_loop = warn accepts that. Remedy: Use an engine that is free of both, such as updn or \
            ftree, or accept it."""),
    TREE_MISCABLED(5040, WARNING, """
            {text}
            A cable of the fat tree joins two switches of a level, or goes over a level, or to a switch that no similar one is cabled to. \
            Over with 5041. Remedy: Move the end of the cable that is named, or exchange the two cables; tree lists all.""", DeviceText.FIELDS),
    TREE_CABLED(5041, INFO, """
            over: {text}
            The end of event 5040: the cable was moved, or pulled out.""", DeviceText.FIELDS),
    TORUS_SEEDS_ABSENT(5046, WARNING, """
            {text}
            The switches of all seeds are cut off or off. Places are those of the last torus, so paths keep their SLs, and \
            what is connected is routed. Remedy: Bring the cables or the switches back, or add a seed (next_seed) in this part.""", DeviceText.FIELDS),
    TORUS_CONF_ERROR(5101, ERROR, """
            {text}
            A line of torus-2QoS.conf is wrong, or the file is missing. Remedy: Correct the line that is named.""", DeviceText.FIELDS),
    TORUS_CONF_WARNING(5102, WARNING, """
            {text}
            A line of torus-2QoS.conf should be looked at. Remedy: Correct the line that is named."""),
    TORUS_CONF_NOTE(5103, INFO, """
            {text}
            A line of torus-2QoS.conf is of no use here."""),
    TORUS_SEED_ERROR(5104, ERROR, """
            {text}
            No seed fits the fabric: a seed switch is down, or links are missing or reversed. Remedy: Write what is \
            proposed, or add next_seed."""),
    TORUS_SEED_WARNING(5105, WARNING, """
            {text}
            A seed cannot be used, does not fit the first, or could not stand in for it. Remedy: If the text names a cable, mend that, \
            and the file is right; else correct the seed before it is needed.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_ERROR(5106, ERROR, """
            {text}
            Switches do not fit into the torus that is declared: sizes, seed or cabling are wrong. Remedy: Compare \
            with the plan; ibnetdiscover.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_WARNING(5107, WARNING, """
            {text}
            Switches are cut off from the torus, or no part of it. Remedy: Compare with the plan; ibnetdiscover.""", DeviceText.FIELDS),
    TORUS_PLACEMENT_NOTE(5108, INFO, """
            {text}
            Where the first switches of the torus are."""),
    TORUS_BROKEN(5109, ERROR, """
            {text}
            Switches or links are missing such that no routes free of deadlock remain. Remedy: Repair the ring that is \
            named.""", DeviceText.FIELDS),
    TORUS_DEGRADED(5110, WARNING, """
            {text}
            Switches or cables of the torus are missing; routes go around them. Remedy: Repair what is named.""", DeviceText.FIELDS),
    TORUS_CHANGED(5111, WARNING, """
            {text}
            The torus lost something since the last routing. Remedy: Repair what is named, if it was not meant.""", DeviceText.FIELDS),
    TORUS_RESTORED(5112, INFO, """
            {text}
            The torus gained something since the last routing.""", DeviceText.FIELDS),
    TORUS_BUILT(5113, INFO, """
            {text}
            The torus is routed."""),
    TORUS_QOS_MISSING(5114, ERROR, """
            {text}
            torus-2QoS needs QoS: its SLs and SL2VL tables keep the fabric free of deadlock. Remedy: Set qos = true."""),
    TORUS_FEW_VLS(5115, ERROR, """
            {text}
            Links have fewer data VLs than torus-2QoS needs. Remedy: The message names the link; raise max_op_vls to 4.""", DeviceText.FIELDS),
    TORUS_FEWER_VLS(5116, WARNING, """
            {text}
            Links have fewer data VLs than torus-2QoS could use. Remedy: Raise max_op_vls to 4 or 8.""", DeviceText.FIELDS),
    TORUS_QOS_OFF(5117, WARNING, """
            {text}
            torus-2QoS is asked for without QoS. Remedy: Set qos = true."""),

    // ---- Sweeps and programming
    SUBNET_UP(6001, INFO, """
            SUBNET UP: {text}
            A sweep ended well: what changed, how long it took, how many SMPs."""),
    SWEEP_FAILED(6002, ERROR, """
            sweep failed: {reason}
            The local port is down, or devices do not answer. Over with 6001. Remedy: The next sweep tries again; ibstat, cables."""),
    SWEEP_ABANDONED(6003, ERROR, """
            sweep {sweep} is abandoned because of a defect in this program
            The SM goes on with the next sweep. Remedy: Report it with the stack trace."""),
    SWEEP_WIDENED(6004, INFO, """
            {reason}; the whole fabric is swept
            A sweep around some switches was not enough."""),
    SWEEPS_OFF(6005, WARNING, """
            no sweeps from now on: the console holds them back
            Somebody used the command sweep off. Over with 6006. Remedy: sweep on, when the work is done."""),
    SWEEPS_ON(6006, WARNING, """
            sweeps go on
            Somebody used the command sweep on."""),
    DEVICE_TROUBLE(6007, WARNING, """
            {text}
            A device did not take what was written to it, and nobody else depends on that. Reported once; it is tried again, \
            less and less often. Over with 6014. Remedy: Look at the device if it stays so, and at its firmware.""", DeviceText.FIELDS),
    LIDS_NOT_PERSISTED(6008, WARNING, """
            {file} in the state directory is not written in {seconds} s; ports get their LIDs all the same. If the SM \
            dies before it is, new ports may get others
            The disk is slow. Remedy: Look at the disk of state_dir."""),
    ALIAS_GUIDS_DEFECT(6009, ERROR, """
            alias GUIDs could not be written because of a defect in this program
            The next sweep tries again. Remedy: Report it with the stack trace."""),
    ALIAS_GUIDS_REFUSED(6010, WARNING, """
            {name} does not take its alias GUIDs: {reason}; it is asked again with each sweep (logged once)
            A full or refusing port. Remedy: Look at the virtual functions of the host.""", DeviceText.FIELDS),
    DEVICE_LEFT_OUT(6011, ERROR, """
            {name} is left out of the subnet, and routes lead around it, until it obeys: {reason}
            A switch, or a link between switches, failed in two sweeps to take what the routes rely on. Everybody else is \
            served. It is asked again with each light sweep. Over with 6012. Remedy: Look at the device and its firmware; restart it.""", DeviceText.FIELDS),
    DEVICE_TAKEN_IN(6012, INFO, """
            {name} is not left out any more: {reason}
            The end of 6011, 6013 or 7210; the next sweep takes it in.""", DeviceText.FIELDS),
    DEVICE_TOLERATED(6013, ERROR, """
            {name} cannot be left out, since the SM is reached through it, and the proof of the routes does not cover it: {reason}
            The switch of the SM's own port failed in two sweeps to take what the routes rely on. The subnet is published all \
            the same. Over with 6012. Remedy: Look at the device and its firmware; restart it, or move the SM to another switch.""", DeviceText.FIELDS),
    DEVICE_TROUBLE_OVER(6014, INFO, """
            {name} takes its attribute {attribute} again, or has no part in the subnet any more
            The end of 6007.""", DeviceText.FIELDS),
    LINK_HELD_DOWN(6015, WARNING, """
            {name} is taken down: the device behind it does not answer or is left out, and would forward by outdated tables
            A switch hangs and still forwards, or has the GUID of another one. The link stays in INITIALIZE until then. Over \
            with 6016. Remedy: Look at the device that is cabled there; restart it.""", DeviceText.FIELDS),
    LINK_NOT_HELD_DOWN(6016, INFO, """
            {name} is not held down any more
            The end of 6015: the device there has a part in the subnet again, or is gone.""", DeviceText.FIELDS),
    CONDITIONS_HOLD(6017, WARNING, """
            {count} conditions hold, the first since {text}; torus-smctl conditions lists them
            What began and is not over, once an hour. Remedy: torus-smctl conditions has a remedy for each."""),
    DRAINED(6018, INFO, """
            {name} is drained: routes lead around it from the next sweep on
            Somebody used the command drain."""),
    UNDRAINED(6019, INFO, """
            {name} is not drained any more
            Somebody used the command undrain; the next sweep takes it in."""),
    DRAIN_GIVEN_BACK(6020, WARNING, """
            {name} is drained, and used all the same: there are no routes without it
            Something else was lost. Remedy: Repair that, then drain it again."""),
    LINK_ISOLATED(6021, WARNING, """
            {name} is isolated, and routes lead around it from the next sweep on: {reason}
            A cable goes down again and again, or loses packets, and the subnet can do without it. It is used again when it \
            was quiet for a time, or when it is needed. Over with 6022. Remedy: Reseat or replace the cable; torus-smctl \
            undrain has it used at once.""", DeviceText.FIELDS),
    ISOLATION_OVER(6022, INFO, """
            {name} is not isolated any more: {reason}
            The end of 6021: the next sweep takes it in.""", DeviceText.FIELDS),
    LINK_NOT_SPARED(6023, WARNING, """
            {name} should be isolated, and is not, since the subnet cannot do without it: {reason}
            A cable goes down again and again, or loses packets, but the ring would be cut, somebody would lose paths, or the \
            load would grow too much. Over with 6024. Remedy: Repair what else is missing, and replace the cable.""", DeviceText.FIELDS),
    LINK_SPARED(6024, INFO, """
            {name} need not be isolated any more, or is
            The end of 6023.""", DeviceText.FIELDS),
    DRIFT_FOUND(6025, WARNING, """
            {name} holds something else than was written to it: {text}
            A device was read, and its tables or settings are not those that this SM gave it; the next \
            sweep writes them. Over with 6026. Remedy: Look for other subnet managers and tools that write; torus-smctl drift \
            has the entries.""", DeviceText.FIELDS),
    DRIFT_OVER(6026, INFO, """
            {name} holds again what was written to it
            The end of 6025: it was read again after a sweep.""", DeviceText.FIELDS),
    FOREIGN_WRITER(6027, ERROR, """
            somebody else writes to {name}: it differed for the second time within an hour, {text}
            Another subnet manager that this one does not see, or a tool, goes on to change tables; each is written back. \
            Remedy: Find it (sminfo, saquery -s, the M_Key traps 256), end it, and set m_key.""", DeviceText.FIELDS),
    INVENTORY_DIFFERS(6041, WARNING, """
            differences from the accepted inventory: {count}, the worst: {text}
            Devices or cables are not as they are expected. Reported once; the condition shows the present number. Over with 6042. \
            Remedy: torus-smctl inventory lists them; if that is meant, torus-smctl inventory accept yes."""),
    INVENTORY_AGREES(6042, INFO, """
            the fabric is the one that was accepted
            The end of event 6041; or nothing is expected any more."""),
    SHADOW_BEGUN(6043, INFO, """
            shadow at port {port} of {device}, GUID {guid}: nothing is written, {count} MADs a second at most are sent
            With --shadow the fabric is only read."""),
    SHADOW_LOOP(6044, WARNING, """
            the tables that the switches hold have a credit loop: {text}
            The SM that rules has programmed routes by which packets can wait for each other for ever. Over with 6045. Remedy: \
            torus-smctl shadow shows the loop and the packets; use an engine that is free of them."""),
    SHADOW_LOOP_OVER(6045, INFO, """
            the tables that the switches hold are free of credit loops
            The end of 6044."""),
    SHADOW_UNREACHABLE(6046, WARNING, """
            by the tables that the switches hold {count} pairs of hosts do not reach each other: {text}
            Forwarding entries are missing, or lead nowhere. Over with 6047. Remedy: torus-smctl shadow names pairs; look at \
            the SM that rules."""),
    SHADOW_REACHABLE(6047, INFO, """
            by the tables that the switches hold all hosts reach each other
            The end of 6046."""),
    SHADOW_DIFFERS(6048, WARNING, """
            a takeover would change {text}
            This SM with its configuration would write other entries than are there. Over with 6049. Remedy: torus-smctl shadow \
            names them; see shadow.md and migration.md."""),
    SHADOW_AGREES(6049, INFO, """
            a takeover would change nothing
            The end of 6048."""),
    SHADOW_DRIFT(6050, WARNING, """
            {count} entries changed though no cable did: {text}
            The SM that rules, or somebody else, writes other tables than before. Remedy: torus-smctl shadow names some; look at \
            the log of the SM that rules."""),
    SHADOW_FAULT(6051, INFO, """
            the fabric changed: {text}
            The SM that rules has to deal with it. Over with 6052."""),
    SHADOW_FAULT_OVER(6052, INFO, """
            tables are whole again within {seconds} s: {text}
            The end of 6051: what the SM that rules changed, and what this one would have."""),
    SHADOW_UNREAD(6053, WARNING, """
            the fabric cannot be read: {reason}
            Over with 6054. Remedy: Look at the link of the port; ibstat."""),
    SHADOW_READ(6054, INFO, """
            the fabric is read again
            The end of 6053."""),
    SHADOW_NO_MASTER(6055, WARNING, """
            no subnet manager says that it is master
            Over with 6056. Remedy: Start one; shadow does not manage the subnet."""),
    SHADOW_MASTER(6056, INFO, """
            {peer} is master
            The end of 6055."""),
    SL2VL_ONE_BY_ONE(6071, WARNING, """
            {text}: SL2VL rows are written one by one, though it announces that it takes those of many ports at once
            A switch does not do what its SwitchInfo says (OptimizedSLtoVLMappingProgramming). It is programmed all the same, \
            with more SMPs. Remedy: Look for newer firmware.""", DeviceText.FIELDS),

    // ---- Partitions, QoS and multicast
    PARTITIONS_ERROR(7001, ERROR, """
            {text}
            partitions.conf cannot be used. Remedy: Correct the line, torus-smctl sweep."""),
    PARTITIONS_WARNING(7002, WARNING, """
            {text}
            A line of partitions.conf should be looked at. Remedy: Correct the line."""),
    PARTITIONS_KEPT(7003, ERROR, """
            the partitions stay as they are: {text}. Correct the file, and ask for a sweep
            partitions.conf has errors, or waits to be applied. Over with 7006. Remedy: Correct it, torus-smctl sweep."""),
    P_KEYS_NO_ROOM(7004, ERROR, """
            {text}
            A port has no room for its P_Keys. Remedy: Put the port into fewer partitions.""", DeviceText.FIELDS),
    P_KEYS_LITTLE_ROOM(7005, WARNING, """
            {text}
            A port has no room for some P_Keys. Remedy: Put the port into fewer partitions.""", DeviceText.FIELDS),
    PARTITIONS_TAKEN(7006, INFO, """
            partitions.conf is used again
            The end of event 7003 or 1120."""),
    QOS_POLICY_IN_FORCE(7101, INFO, """
            QoS policy in force: {file}
            qos-policy.conf was read."""),
    QOS_POLICY_ERROR(7102, ERROR, """
            {text}
            qos-policy.conf cannot be used. Remedy: Correct the line, torus-smctl sweep.""", DeviceText.FIELDS),
    QOS_POLICY_WARNING(7103, WARNING, """
            {text}
            A line of qos-policy.conf should be looked at. Remedy: Correct the line."""),
    QOS_POLICY_KEPT(7104, ERROR, """
            the QoS policy stays as it is: {text}. Correct the file, and ask for a sweep
            qos-policy.conf has errors. Over with 7101. Remedy: Correct it, torus-smctl sweep."""),
    QOS_WARNING(7105, WARNING, """
            {text}
            VL arbitration that the engine must own, or that is not fair. Remedy: Correct the qos_ settings that are \
            named."""),
    GROUP_NO_MLID(7201, ERROR, """
            {file}: there is no room for multicast group {mgid}; leave some out
            MLIDs are used up. Remedy: Declare fewer groups."""),
    GROUP_KEPT(7202, WARNING, """
            {file}: multicast group {mgid} has members and keeps its values until they leave
            partitions.conf changed a group in use. Remedy: Nothing; it follows when they have left."""),
    GROUP_NOT_FORWARDED(7203, WARNING, """
            {text}
            The SL of a group cannot be carried without risk of deadlock. Remedy: Let its members leave, and make it \
            again with an SL that is named."""),
    GROUP_SL_REFUSED(7204, WARNING, """
            a multicast group with SL {sl} was asked for and refused: the routing in force cannot carry it without \
            risk of deadlock. Configure whoever makes the group for {allowed} (logged once for each SL)
            The SL cannot be carried without risk of deadlock. Remedy: Configure who makes the group as the message says."""),
    MULTICAST_OFF(7205, ERROR, """
            multicast is off: the routing in force has no tree for it that is free of deadlock. All multicast entries \
            of the switches are cleared and joins are refused, so IPoIB does not work
            No tree for multicast is free of deadlock. Over with 7206. Remedy: Repair the fabric."""),
    MULTICAST_ON(7206, WARNING, """
            multicast is on again
            A tree for multicast was found."""),
    MULTICAST_NO_ROOM(7207, WARNING, """
            a switch has room for {count} multicast groups only (MulticastFDBCap): groups up to MLID {mlid} do not \
            reach what is behind it
            There are more MLIDs than the smallest switch holds. Remedy: consolidate_ipv6_snm_req = true, or fewer \
            groups."""),
    MULTICAST_TROUBLE(7208, WARNING, """
            multicast: {text}
            A switch did not take its multicast tables. Remedy: The next sweep tries again.""", DeviceText.FIELDS),
    MULTICAST_DEFECT(7209, ERROR, """
            multicast tables could not be written because of a defect in this program
            The next sweep tries again. Remedy: Report it with the stack trace."""),
    MLIDS_SHARED(7210, WARNING, """
            all {count} MLIDs that the switches have room for are in use: from now on new multicast groups share them
            Members of groups that share an MLID are sent each other's packets, and drop them. Over with 7211. Remedy: \
            consolidate_ipv6_snm_req = true, or fewer groups."""),
    MLIDS_SUFFICE(7211, INFO, """
            there are MLIDs for new multicast groups again
            Groups ended. Those that share an MLID keep it."""),
    GROUPS_REFUSED(7212, WARNING, """
            there are {count} multicast groups: no more are made, and their joins are refused (NO_RESOURCES; logged once)
            A host makes groups without end, or the subnet is larger than this program is made for. Remedy: torus-smctl \
            mcast names the groups and their members; stop who makes them."""),
    MULTICAST_LEFT_OUT(7213, ERROR, """
            multicast leads around {name}, and hosts behind it get none, until it obeys: {reason}
            A switch failed in two sweeps to take its multicast table. Unicast goes on through it. It is asked \
            again with each light sweep. Over with 6012. Remedy: Look at the device and its firmware; restart it.""", DeviceText.FIELDS),

    // ---- The subnet administrator and its subscribers
    SA_DEFECT(8001, ERROR, """
            no answer to SA attribute {attribute} from LID {lid} because of a defect in this program
            A query was dropped. Remedy: Report it with the stack trace."""),
    PREFIX_ROUTES_ERROR(8002, ERROR, """
            {text}
            prefix-routes.conf cannot be used. Remedy: Correct the line, torus-smctl sweep."""),
    PREFIX_ROUTES_KEPT(8003, ERROR, """
            the routes to other subnets stay as they are, {count} of them; correct the file, and ask for a sweep
            prefix-routes.conf has errors. Over with 8004. Remedy: Correct it, torus-smctl sweep."""),
    PREFIX_ROUTES_TAKEN(8004, INFO, """
            prefix-routes.conf is used again
            The end of event 8003."""),
    ALIAS_GUID_WITHDRAWN(8005, WARNING, """
            alias GUID {guid} of port GUID {peer} is withdrawn: it is that of a port that has appeared
            The port was not known when another got its GUID as an alias. Remedy: Look at who sets alias GUIDs of \
            that port, if it was not meant."""),
    SHARE_EXHAUSTED(8006, WARNING, """
            port GUID {guid} has {count} {text}, as many as one port may have: more are refused (NO_RESOURCES; logged once)
            Its host registers without end, or really needs more than stay free for all others. Remedy: torus-smctl mcast \
            names groups and their members; requests that show a secret sm_key are not bounded."""),
    PARTITION_SHARE_EXHAUSTED(8007, WARNING, """
            partition {key} has {count} {text}, as many as stay free for others: more are refused, or share MLIDs (logged once)
            Its members register without end, or really need more than half of what there is. The default partition has no such \
            bound. Remedy: torus-smctl mcast names groups and their members; requests that show a secret sm_key are not bounded."""),
    SUBSCRIPTIONS_DROPPED(8101, INFO, """
            {count} event subscriptions of ports that are gone are dropped
            drop_event_subscriptions is set."""),
    REPORT_UNANSWERED(8102, WARNING, """
            {name} does not answer: Report of trap {trap} was sent {tries} times, {count} lost since the last report; \
            its subscriptions stay until it ends them
            A subscriber is gone or deaf. Remedy: Nothing; its subscription ends with its port.""", DeviceText.FIELDS),

    // ---- Performance counters
    PORT_ERRORS(8201, WARNING, """
            {name} - {destination}: {text}
            The counters of a port count more errors than perfmgr_thresholds allows, or its link makes more bit errors than its speed may. \
            Over with 8202. Remedy: Look at the counters (torus-smctl counters NODE PORT); reseat or replace the cable.""", DeviceText.FIELDS),
    PORT_ERRORS_OVER(8202, INFO, """
            {name}: its counters count no more errors than they may
            The end of event 8201.""", DeviceText.FIELDS),
    PORT_CONGESTED(8203, WARNING, """
            {name} - {destination}: {text}
            A port has more to send than it gets credits for: the way behind it is congested, or the receiver is slow. Over with 8204. \
            Remedy: Look at the loads (torus-smctl traffic) and at hosts behind it that receive slowly; see perfmgr_congestion.""", DeviceText.FIELDS),
    PORT_CONGESTED_OVER(8204, INFO, """
            {name} gets its credits again
            The end of event 8203.""", DeviceText.FIELDS),
    PORT_CONDITIONS_UNTOLD(8205, WARNING, """
            {count} more ports count more errors, or wait longer for credits, than they should
            Only the first are named one by one. Remedy: torus-smctl counters lists them, the worst first."""),
    PERF_AGENT_SILENT(8206, WARNING, """
            the counters of {name} cannot be read: {reason}; it is asked less and less often
            The performance management agent of a device does not answer, or refuses. Over with 8207. Remedy: Look at the firmware of the \
            device, and whether perfquery reads it; hosts alone are left out with perfmgr_ignore_cas.""", DeviceText.FIELDS),
    PERF_AGENT_ANSWERS(8207, INFO, """
            the counters of {name} can be read again
            The end of event 8206.""", DeviceText.FIELDS),
    PERF_POLLING_SLOW(8208, WARNING, """
            the counters of all ports are not read within perfmgr_sweep_time_s ({seconds} s); {count} devices were left
            There are more ports than perfmgr_mads_per_second and the agents allow. Over with 8209. Remedy: A longer perfmgr_sweep_time_s, \
            or more MADs a second."""),
    PERF_POLLING_IN_TIME(8209, INFO, """
            the counters of all ports are read within perfmgr_sweep_time_s again
            The end of event 8208."""),
    PERF_REDIRECTION_REFUSED(8210, WARNING, """
            {name} redirects requests for its counters to where they are not sent: {text}
            The agent of a device names another address that is not in this subnet, or with another P_Key or Q_Key. Remedy: Look at the \
            device; perfmgr_redir = false ignores redirections.""", DeviceText.FIELDS),
    PERF_COUNTERS_RESTARTED(8211, INFO, """
            the counters of {name} count from 0 again
            Somebody used the command clear-counters."""),

    // ---- State files and replication
    STATE_FILE_UNUSED(9001, ERROR, """
            {file} is not used: {reason}. {text}; {action}
            The file is damaged; it is kept as NAME.bad, or where it is if people write it. Remedy: The message says what is done instead."""),
    STATE_FILE_NOT_REPLICATED(9002, WARNING, """
            {file} cannot be replicated: {reason}
            The file is damaged. Remedy: The next change is sent whole."""),
    STATE_FILE_WRITTEN(9003, INFO, """
            {file} is written again
            The disk takes writes again."""),
    STATE_FILE_NOT_WRITTEN(9004, ERROR, """
            {file} cannot be written ({reason}) and stays as it is; tried again every {seconds} s. If the SM restarts \
            before that, {action}
            No room, or a read-only disk. Over with 9003. Remedy: Make room; it is tried again."""),
    STATE_DIR_SLOW(9005, WARNING, """
            state_dir is slow: what changed last is not replicated
            The disk was slow while the SM ended. Remedy: Look at the disk of state_dir."""),
    STATE_LOG_TORN(9006, INFO, """
            {file}: the last record was not written to its end and is left out, {count} bytes
            The process or the machine ended while it wrote."""),
    STATE_LOG_DAMAGED(9007, WARNING, """
            {file} is damaged: {reason}; {action}
            What can be read of it is used. Remedy: Nothing needs to be done, the file goes when newer ones need its room; \
            look at the disk, or delete the file."""),
    STATE_LOG_NOT_WRITTEN(9008, ERROR, """
            {file} cannot be written ({reason}); {action}
            No room, or a read-only disk. Over with 9009. Remedy: Make room; each new record is tried."""),
    STATE_LOG_WRITTEN(9009, INFO, """
            {file} is written again
            The disk takes records again."""),
    HISTORY_TOO_LARGE(9010, WARNING, """
            no changes are kept: one whole state of the fabric takes {count} bytes, more than history_mib allows
            Changes are kept as differences from whole states. Over with 9011. Remedy: Raise history_mib."""),
    HISTORY_KEPT(9011, INFO, """
            changes are kept again
            A whole state of the fabric has room in history_mib."""),
    RECORDING_WRITTEN(9051, INFO, """
            {file} holds what was sent, received and decided in the last {seconds} s; written because {reason}
            The flight recorder keeps the last minutes and writes them when something goes wrong, or when somebody asks. \
            torus-sm replay shows the decisions again."""),
    RECORDING_NOT_WRITTEN(9052, WARNING, """
            the recording of the last minutes cannot be written to {file}: {reason}
            No room, or a directory that may not be written to. The recorder goes on. Remedy: Make room, then \
            torus-smctl record."""),
    REPLICATION_NOT_LISTENING(9101, ERROR, """
            replication does not work: {address} cannot be listened at ({reason}); tried again every {seconds} s, see \
            replication_listen and replication_peers
            The address is not one of this host, or not free. Remedy: replication_listen is an address of this host."""),
    REPLICATION_OTHER_KEY(9102, ERROR, """
            replication: {peer} holds another key and is no peer; copy the same replication_key_file to all SMs of the \
            subnet
            Key files differ. Remedy: The same replication_key_file on all."""),
    REPLICATION_NOT_SENT(9103, WARNING, """
            replication: state could not be sent ({reason}); the next change is
            The management network failed. Remedy: Look at the network if it goes on."""),
    REPLICATION_NO_GOODBYE(9104, WARNING, """
            replication: the peers could not be informed of the end in time
            The management network is slow or down. Remedy: Nothing; they notice it themselves."""),
    STATE_ADOPTED(9105, INFO, """
            replication: this mastership begins with the state of the previous master, last {text}
            This SM took over with its copy."""),
    PEER_JOINED(9106, INFO, """
            replication: peer {peer} is there
            A peer joined."""),
    PEER_LEFT(9107, WARNING, """
            replication: peer {peer} is gone; state that changes from now on is kept here only
            The other SM is down, or the management network. Over with 9106. Remedy: It is logged when it is back; start it."""),
    REPLICATION_REFUSED(9108, ERROR, """
            replication: {text}
            What a peer sent cannot be used, or a file is too large to be sent. Remedy: Run the same version on all \
            SMs."""),
    COPY_MERGED(9109, INFO, """
            replication: what this SM did not know of {name} is added from the copy of {peer}
            A peer knew registrations that were missing here."""),
    COPY_TAKEN(9110, INFO, """
            replication: the state of term {term} is taken from {peer}
            This SM has a fresh copy of the master's state.""");

    private static final String CODE = "TSM-";
    private static final String REMEDY = " Remedy: ";
    private static final String OVER = "Over with ";
    private static final String END = "The end of ";
    private static final int DIGITS = 4;

    private final int number;
    private final Finding.Severity severity;
    private final String lines;
    private final Set<EventField> more;

    /** All by their codes, made when somebody asks first. */
    private static final class ByCode {
        static final Map<String, SmEvent> ALL = new HashMap<>();

        static {
            for (SmEvent event : values()) {
                ALL.put(event.code(), event);
            }
        }
    }

    /** What the lines say; read when somebody asks first, since a start needs a few of hundreds. */
    private record Catalogued(
            Template template, String meaning, String remedy, String endCode, Set<EventField> fields) {
        static final Map<SmEvent, Catalogued> READ = new ConcurrentHashMap<>();

        static Catalogued of(SmEvent event) {
            String lines = event.lines;
            int line = lines.indexOf('\n');
            Template template = Template.of(lines.substring(0, line));
            String explained = lines.substring(line + 1);
            int end = explained.indexOf(REMEDY);
            String meaning = end < 0 ? explained : explained.substring(0, end);
            int over = meaning.indexOf(OVER) + OVER.length();
            return new Catalogued(
                    template,
                    meaning,
                    end < 0 ? "" : explained.substring(end + REMEDY.length()),
                    meaning.contains(OVER) ? CODE + meaning.substring(over, over + DIGITS) : "",
                    Collections.unmodifiableSet(template.fieldsAnd(event.more)));
        }
    }

    SmEvent(int number, Finding.Severity severity, String lines) {
        this(number, severity, lines, Set.of());
    }

    SmEvent(int number, Finding.Severity severity, String lines, Set<EventField> more) {
        this.number = number;
        this.severity = severity;
        this.lines = lines;
        this.more = more;
    }

    private Catalogued catalogued() {
        return Catalogued.READ.computeIfAbsent(this, Catalogued::of);
    }

    /** The event of a code; null if there is none. */
    public static @Nullable SmEvent ofCode(String code) {
        return ByCode.ALL.get(code);
    }

    /** The stable code, {@code TSM-} and four digits; the first digit is the room. */
    public String code() {
        return CODE + number;
    }

    /** How much it matters, always. */
    public Finding.Severity severity() {
        return severity;
    }

    /** The text with its fields in braces. */
    public String template() {
        return catalogued().template().text();
    }

    /** What it means, in one sentence. */
    public String meaning() {
        return catalogued().meaning();
    }

    /** What to do about it, in one sentence; empty if nothing is. */
    public String remedy() {
        return catalogued().remedy();
    }

    /** The code of the event with which the condition is over that this one begins; empty if it begins none. */
    public String endCode() {
        return catalogued().endCode();
    }

    /** Checks whether it only reports the end of a condition; other events that end one also come without one. */
    public boolean isOnlyAnEnd() {
        return catalogued().meaning().startsWith(END);
    }

    /** The fields that the text names, which are always given. */
    public Set<EventField> shown() {
        return catalogued().template().fields();
    }

    /** All fields that it may have. */
    public Set<EventField> fields() {
        return catalogued().fields();
    }

    /** The event with one text from parts, for those that show nothing else; see {@link DeviceText#of}. */
    public Finding says(Object... parts) {
        DeviceText said = DeviceText.of(parts);
        return new Finding(this, Finding.complete(List.of(EventField.TEXT.of(said.text())), said.fields()));
    }

    /** The text with values in place of the fields. */
    String text(List<Value> values) {
        return catalogued().template().render(values);
    }
}
