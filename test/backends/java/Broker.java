import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * Runs Kafka: {@code Broker <server.properties> [<SCRAM login>]}. It first formats the log if there is none, in the same
 * JVM. With the system property {@code rehearsal} it exits when it listens; the JVM then writes an archive of its loaded
 * classes, which halves the CPU of later starts.
 */
public final class Broker {
    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        try (FileInputStream file = new FileInputStream(args[0])) {
            settings.load(file);
        }
        if (!Files.exists(Path.of(settings.getProperty("log.dirs"), "meta.properties"))) {
            List<String> format = new ArrayList<>(List.of("format", "--cluster-id", Uuid.randomUuid().toString()));
            format.addAll(List.of("--config", args[0]));
            if (args.length > 1) {
                format.addAll(List.of("--add-scram", args[1]));
            }
            PrintStream discarded = new PrintStream(PrintStream.nullOutputStream());
            int code = StorageTool.execute(format.toArray(String[]::new), discarded);
            if (code != 0) {
                throw new IllegalStateException("cannot format the log: " + code);
            }
        }
        if (Boolean.getBoolean("rehearsal")) {
            Thread ending = new Thread(() -> exitOnceListening(settings));
            ending.setDaemon(true);
            ending.start();
        }
        Kafka.main(new String[] {args[0]});
    }

    private static void exitOnceListening(Properties settings) {
        int port = URI.create(settings.getProperty("listeners").split(",")[0]).getPort();
        try {
            for (;;) {
                Thread.sleep(100);
                try (Socket socket = new Socket("127.0.0.1", port)) {
                    break;
                } catch (IOException notYet) {
                    continue;
                }
            }
        } catch (InterruptedException interrupted) {
            return;
        }
        System.exit(0);
    }
}
