import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of a class with JUnit, prints how many passed, and why the others failed. */
class RunTest {
  public static void main(String[] arguments) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(arguments[0]))
                .build(),
            listener);
    listener.getSummary().printFailuresTo(new PrintWriter(System.out));
    System.out.println(listener.getSummary().getTestsSucceededCount() + " passed");
  }
}
