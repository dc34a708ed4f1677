package flagstone;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A part of all texts: those whose hash lies from one number of percent up to another. */
final class Share {
  private final String seed;
  private final double start;
  private final double end;

  Share(String seed, double from, double to) throws UnreadableException {
    if (!(0 <= from && from <= to && to <= 100)) {
      throw new UnreadableException();
    }
    this.seed = seed;
    this.start = from * 0x1p32;
    this.end = to * 0x1p32;
  }

  /** Whether a text is in the share. The empty text identifies no one. */
  boolean has(String text) {
    if (text.isEmpty()) {
      return false;
    }
    byte[] hashed = Values.wellFormed(seed + ":" + text).getBytes(StandardCharsets.UTF_8);
    double point = 100.0 * (ByteBuffer.wrap(sha256(hashed)).getInt() & 0xffffffffL);
    return start <= point && point < end;
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
