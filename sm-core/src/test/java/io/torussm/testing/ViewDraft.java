package io.torussm.testing;

import io.torussm.partition.PartitionPlan;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import org.jspecify.annotations.Nullable;

/** A draft of a published view. A test sets the parts that it needs. */
public final class ViewDraft {
    /** SubnetTimeOut of the views: about 1 s (4.096 us * 2^18). */
    public static final int SUBNET_TIMEOUT = 18;

    /** RespTimeValue of the views: about 0.27 s (4.096 us * 2^16). */
    public static final int RESPONSE_TIME_VALUE = 16;

    private Subnet subnet;
    private Plan plan;
    private @Nullable MulticastTree multicast;
    private PartitionPlan partitions;
    private long smPortGuid;
    private boolean hasQos;
    private QosTables qosTables = QosTables.NONE;
    private long sweep = 1;

    private ViewDraft(Subnet subnet, Plan plan, PartitionPlan partitions) {
        this.subnet = subnet;
        this.plan = plan;
        this.partitions = partitions;
        this.smPortGuid = subnet.fabric().portGuid(subnet.fabric().localPort());
    }

    /**
     * Returns a draft of the first sweep with a plan: the SM at the local port of the fabric, no multicast, no
     * partitions.conf, no QoS.
     */
    public static ViewDraft of(Plan plan) {
        return new ViewDraft(
                plan.subnet(), plan, PartitionPlan.withoutConf(plan.subnet().fabric()));
    }

    /** Returns a draft that equals a view. The time-outs are those of this class. */
    public static ViewDraft of(PublishedView view) {
        ViewDraft draft = new ViewDraft(view.subnet(), view.plan(), view.partitions());
        draft.multicast = view.multicast();
        draft.smPortGuid = view.smPortGuid();
        draft.hasQos = view.qos();
        draft.qosTables = view.qosTables();
        draft.sweep = view.sweep();
        return draft;
    }

    /** Sets the subnet, with the indexes and LIDs of that of the plan. */
    public ViewDraft subnet(Subnet newSubnet) {
        subnet = newSubnet;
        return this;
    }

    /** Sets the plan. The subnet stays. */
    public ViewDraft plan(Plan newPlan) {
        plan = newPlan;
        return this;
    }

    /** Sets the tree of all multicast groups; null if multicast is off. */
    public ViewDraft multicast(@Nullable MulticastTree tree) {
        multicast = tree;
        return this;
    }

    /** Sets the members of partitions. */
    public ViewDraft partitions(PartitionPlan newPartitions) {
        partitions = newPartitions;
        return this;
    }

    /** Sets the PortGUID of the SM. */
    public ViewDraft smPortGuid(long guid) {
        smPortGuid = guid;
        return this;
    }

    /** Enables QoS, with no known tables. */
    public ViewDraft qos() {
        hasQos = true;
        return this;
    }

    /** Enables QoS, with programmed tables. */
    public ViewDraft qos(QosTables tables) {
        qosTables = tables;
        return qos();
    }

    /** Sets the number of the sweep, from 1; {@link PublishedView#REMEMBERED} for a view of a former master. */
    public ViewDraft sweep(long number) {
        sweep = number;
        return this;
    }

    /** Returns the view. */
    public PublishedView build() {
        return new PublishedView(
                subnet,
                plan,
                multicast,
                partitions,
                smPortGuid,
                SUBNET_TIMEOUT,
                RESPONSE_TIME_VALUE,
                hasQos,
                qosTables,
                sweep);
    }
}
