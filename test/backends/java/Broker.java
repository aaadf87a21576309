import java.io.FileInputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** Kafka, its log made where there is none yet: {@code Broker <server.properties>}. Saves the start of a second JVM. */
public final class Broker {
    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        try (FileInputStream file = new FileInputStream(args[0])) {
            settings.load(file);
        }
        if (!Files.exists(Path.of(settings.getProperty("log.dirs"), "meta.properties"))) {
            String[] format = {"format", "--cluster-id", Uuid.randomUuid().toString(), "--config", args[0]};
            int code = StorageTool.execute(format, new PrintStream(PrintStream.nullOutputStream()));
            if (code != 0) {
                throw new IllegalStateException("the log can't be made: " + code);
            }
        }
        Kafka.main(args);
    }
}
