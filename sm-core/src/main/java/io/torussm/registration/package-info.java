/**
 * What hosts register with the SA: services, groups, event subscriptions, alias GUIDs; kept and replicated.
 */
@NullMarked
package io.torussm.registration;

import org.jspecify.annotations.NullMarked;
