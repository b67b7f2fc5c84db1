package io.torussm.registration;

import io.torussm.alias.AliasTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.report.Subscription;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A snapshot of all registrations with an SA, in the form in which one SM passes them to another, OpenSM included.
 * Immutable.
 *
 * @param groups multicast groups with their MLIDs and members
 * @param services services with the times of day at which their leases end
 * @param subscriptions subscriptions to events
 * @param aliases alias GUIDs
 */
public record SaContents(
        List<MulticastGroup> groups,
        List<Services.Registration> services,
        List<Subscription> subscriptions,
        AliasTable aliases) {
    /** A snapshot without registrations. */
    public static final SaContents NONE = new SaContents(List.of(), List.of(), List.of(), AliasTable.NONE);

    public SaContents {
        groups = List.copyOf(groups);
        services = List.copyOf(services);
        subscriptions = List.copyOf(subscriptions);
    }

    /** A state file with a part of a snapshot. */
    public record File(StateFile file, byte[] content) {}

    /** Returns the state files from which an SM starts with these registrations. */
    public List<File> files() {
        return List.of(
                file(GroupCodec.FILE, groups.stream().flatMap(GroupCodec::of)),
                file(ServiceCodec.FILE, services.stream().map(ServiceCodec::of)),
                file(SubscriptionCodec.FILE, subscriptions.stream().map(SubscriptionCodec::of)),
                file(AliasCodec.FILE, AliasCodec.of(aliases)));
    }

    private static File file(StateFile file, Stream<String> records) {
        return new File(file, file.content(records));
    }

    /**
     * Reads state files. Parts without a file are empty.
     *
     * @throws StateFile.DamagedFileException if the content of a file is invalid
     */
    public static SaContents of(List<File> files) throws StateFile.DamagedFileException {
        SaContents read = NONE;
        for (File each : files) {
            read = read.with(each);
        }
        return read;
    }

    private SaContents with(File each) throws StateFile.DamagedFileException {
        if (each.file().equals(GroupCodec.FILE)) {
            return new SaContents(
                    each.file().parse(each.content(), new GroupCodec()), services, subscriptions, aliases);
        }
        if (each.file().equals(ServiceCodec.FILE)) {
            return new SaContents(
                    groups, each.file().parse(each.content(), new ServiceCodec()), subscriptions, aliases);
        }
        if (each.file().equals(SubscriptionCodec.FILE)) {
            return new SaContents(
                    groups, services, each.file().parse(each.content(), new SubscriptionCodec()), aliases);
        }
        return new SaContents(groups, services, subscriptions, each.file().parse(each.content(), new AliasCodec()));
    }

    /** Returns the number of memberships of all groups together. */
    public int memberships() {
        return groups.stream().mapToInt(group -> group.members().size()).sum();
    }

    /** Returns the numbers of registrations of each kind as text for the operator. */
    public List<String> amounts() {
        List<String> amounts = new ArrayList<>();
        amounts.add(groups.size() + " multicast groups with " + memberships() + " members");
        amounts.add(services.size() + " services");
        amounts.add(subscriptions.size() + " event subscriptions");
        amounts.add(aliases.guids().size() + " alias GUIDs");
        return amounts;
    }
}
