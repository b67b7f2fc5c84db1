/**
 * What operators call nodes and where these stand: {@link io.torussm.names.NodeNames}, the node name map that infiniband-diags
 * and OpenSM read too, and {@link io.torussm.names.SiteMap}, racks and labels of cables. Both are read from files of lines;
 * {@link io.torussm.names.Names} holds them together.
 *
 * <p>A name is chosen in one place, {@link io.torussm.names.Names#of}, which fabrics ask ({@code Fabric.nodeName}): a fabric
 * carries the names that were in force when its discovery began, so all that is said of it agrees. What devices say of
 * themselves is left as it is, since the SA has to answer with it and state files are to outlive a name map.
 *
 * <p>Immutable values, any thread. Nothing here does I/O. A look-up costs one search in a hash table; 49,151 names of 64 characters are
 * 10 MiB. Left out: names of ports, and names by GUIDs of systems.
 */
@NullMarked
package io.torussm.names;

import org.jspecify.annotations.NullMarked;
