// Reads a log by HdrHistogram's own reader and prints a line for each interval: tag, start and
// length in seconds, count, least and greatest value, median, and the sum of (value * count).
import java.io.File;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

class ReadLog {
  public static void main(String[] args) throws Exception {
    HistogramLogReader reader = new HistogramLogReader(new File(args[0]));
    for (EncodableHistogram read; (read = reader.nextIntervalHistogram()) != null;) {
      Histogram histogram = (Histogram) read;
      double sum = 0;
      for (HistogramIterationValue value : histogram.recordedValues()) {
        sum += (double) value.getValueIteratedTo() * value.getCountAddedInThisIterationStep();
      }
      System.out.printf("%s %.3f %.3f %d %d %d %d %.0f%n", histogram.getTag(),
          histogram.getStartTimeStamp() / 1000.0,
          (histogram.getEndTimeStamp() - histogram.getStartTimeStamp()) / 1000.0,
          histogram.getTotalCount(), histogram.getMinNonZeroValue(), histogram.getMaxValue(),
          histogram.getValueAtPercentile(50), sum);
    }
  }
}
