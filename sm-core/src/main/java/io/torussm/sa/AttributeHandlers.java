package io.torussm.sa;

import io.torussm.mad.smp.SmInfo;
import io.torussm.paths.PathService;
import io.torussm.registration.Registrations;
import io.torussm.sa.query.AttributeHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The list of all attributes that the SA serves. */
public final class AttributeHandlers {
    private AttributeHandlers() {}

    /**
     * Returns a handler for each attribute.
     *
     * @param registrations registrations that requests change and query
     * @param subnetManagers returns all known SMs, this SM included, with their SM_Keys; called on any thread
     * @param nowNs clock of service leases; called on any thread
     */
    public static List<AttributeHandler> all(
            Registrations registrations, Supplier<List<SmInfo>> subnetManagers, PathService paths, LongSupplier nowNs) {
        List<AttributeHandler> handlers = new ArrayList<>(List.of(
                new ClassPortInfoHandler(),
                NodeRecords.handler(),
                PortInfoRecords.handler(),
                PortRecords.links(),
                PortRecords.pKeys(),
                SwitchRecords.switchInfos(registrations.memberships()),
                SwitchRecords.forwardingTables(),
                SwitchRecords.multicastTables(registrations.memberships()),
                QosRecords.slToVl(),
                QosRecords.vlArbitration(),
                new SmInfoRecords(subnetManagers),
                new GuidInfoRecordHandler(registrations.aliases(), registrations.memberships()),
                new MCMemberRecordHandler(registrations.memberships()),
                new ServiceRecordHandler(registrations.services(), nowNs),
                new InformInfoHandler(registrations.subscriptions()),
                new InformInfoRecordHandler(registrations.subscriptions())));
        handlers.addAll(paths.handlers());
        return List.copyOf(handlers);
    }
}
