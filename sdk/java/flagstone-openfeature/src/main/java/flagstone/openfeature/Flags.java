package flagstone.openfeature;

import dev.openfeature.sdk.ImmutableMetadata;
import flagstone.Evaluator;

/** The flags of a document, and what telemetry records of it, by OpenFeature's names. */
final class Flags {
  final Evaluator evaluator;
  final ImmutableMetadata metadata;

  Flags(Evaluator evaluator) {
    this.evaluator = evaluator;
    ImmutableMetadata.ImmutableMetadataBuilder builder = ImmutableMetadata.builder();
    String flagSet = evaluator.flagSet();
    if (flagSet != null) {
      builder.addString("flagSetId", flagSet);
    }
    String version = evaluator.version();
    if (version != null) {
      builder.addString("version", version);
    }
    metadata = builder.build();
  }
}
