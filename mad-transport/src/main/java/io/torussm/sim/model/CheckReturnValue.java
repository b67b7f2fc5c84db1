package io.torussm.sim.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * The mark of a method whose result a caller has to use. Error Prone knows the annotation by its simple name, and
 * reports calls that ignore the result as errors.
 */
@Documented
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}
