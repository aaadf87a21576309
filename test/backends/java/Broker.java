import java.io.FileInputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * Kafka, its log made where there is none yet: {@code Broker <server.properties> [<who may log in by SCRAM>]}. Saves the
 * start of a second JVM.
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
            PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
            int code = StorageTool.execute(format.toArray(String[]::new), nowhere);
            if (code != 0) {
                throw new IllegalStateException("the log can't be made: " + code);
            }
        }
        Kafka.main(new String[] {args[0]});
    }
}
