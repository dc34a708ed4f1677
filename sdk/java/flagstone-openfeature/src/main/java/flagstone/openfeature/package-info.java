/** An OpenFeature provider that evaluates the flags of one environment in process. */
@NullMarked
package flagstone.openfeature;

import org.jspecify.annotations.NullMarked;
