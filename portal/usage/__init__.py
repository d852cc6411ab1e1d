"""What sessions and jobs have used: samples, sums and reports."""
