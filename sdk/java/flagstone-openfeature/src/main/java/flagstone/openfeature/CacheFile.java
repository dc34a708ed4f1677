package flagstone.openfeature;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** The file that keeps the last document for a start without network. */
final class CacheFile {
  private static final Duration LONGEST_WRITE = Duration.ofMinutes(1);

  private CacheFile() {}

  /**
   * Replaces the file as a whole or not at all. Only its owner may read it, because rules may
   * contain users' addresses.
   */
  static void write(Path file, byte[] document) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a folder is no file");
    String name = String.valueOf(file.getFileName());
    // Other processes may write the same file, so each has its own unfinished one, with mode 600.
    Path unfinished = Files.createTempFile(folder, name + ".", ".partial");
    try {
      try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        for (ByteBuffer left = ByteBuffer.wrap(document); left.hasRemaining(); ) {
          channel.write(left);
        }
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
    removeUnfinished(folder, name);
  }

  /** Removes what processes left that were killed while writing. */
  private static void removeUnfinished(Path folder, String name) throws IOException {
    long oldest = Instant.now().minus(LONGEST_WRITE).toEpochMilli();
    DirectoryStream.Filter<Path> isOurs =
        path -> {
          String other = String.valueOf(path.getFileName());
          return other.startsWith(name + ".") && other.endsWith(".partial");
        };
    try (DirectoryStream<Path> others = Files.newDirectoryStream(folder, isOurs)) {
      for (Path other : others) {
        if (other.toFile().lastModified() < oldest) {
          var unused = other.toFile().delete(); // Another process may have removed it.
        }
      }
    }
  }
}
