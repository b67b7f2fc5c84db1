package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.lang.reflect.Proxy;

/**
 * POSIX signals. {@code sun.misc.Signal} is Java's only interface to them. It is called by reflection, since
 * the compiler's warning about it cannot be switched off, and warnings are errors here.
 */
public final class Signals {
    private static final EventLog EVENTS = EventLog.of(Signals.class);

    private Signals() {}

    /**
     * Runs an action on each signal, in place of the JVM's default.
     *
     * @param name name without SIG, such as {@code HUP}
     */
    public static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> action.run();
                            case "hashCode" -> {
                                return System.identityHashCode(self);
                            }
                            case "equals" -> {
                                return arguments[0] == self;
                            }
                            default -> {
                                return "handler of SIG" + name;
                            }
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | RuntimeException e) {
            EVENTS.report(SmEvent.SIGNAL_NOT_HANDLED, EventField.NAME.of(name), EventField.REASON.of(e));
        }
    }
}
