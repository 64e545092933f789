// A record as GoGui shows it: for every node of the first line a row of text
// with the stones, rows from the top, and one with the marked points.
//
//     java -cp CLASSES tests/gogui/Shown.java FILE.sgf

import java.io.File;
import java.io.FileInputStream;
import net.sf.gogui.game.BoardUpdater;
import net.sf.gogui.game.ConstNode;
import net.sf.gogui.game.GameTree;
import net.sf.gogui.game.MarkType;
import net.sf.gogui.go.Board;
import net.sf.gogui.go.GoColor;
import net.sf.gogui.go.GoPoint;
import net.sf.gogui.gtp.BoardParameters;
import net.sf.gogui.sgf.SgfReader;

public class Shown {
    public static void main(String[] args) throws Exception {
        File file = new File(args[0]);
        SgfReader reader = new SgfReader(new FileInputStream(file), file, null, 0);
        if (reader.getWarnings() != null)
            System.err.println(reader.getWarnings());
        GameTree tree = reader.getTree();
        int size = tree.getBoardSize();
        Board board = new Board(new BoardParameters(size));
        BoardUpdater updater = new BoardUpdater();
        for (ConstNode node = tree.getRootConst(); node != null; node = node.getChildConst()) {
            updater.update(tree, node, board);
            StringBuilder stones = new StringBuilder();
            StringBuilder marks = new StringBuilder();
            for (int y = size - 1; y >= 0; --y) {
                for (int x = 0; x < size; ++x) {
                    GoPoint point = GoPoint.get(x, y);
                    GoColor color = board.getColor(point);
                    stones.append(color == GoColor.BLACK ? 'X' : color == GoColor.WHITE ? 'O' : '.');
                    marks.append(isMarked(node, point) ? '!' : '.');
                }
                stones.append(y > 0 ? " " : "\n");
                marks.append(y > 0 ? " " : "\n");
            }
            System.out.print(stones);
            System.out.print(marks);
        }
    }

    private static boolean isMarked(ConstNode node, GoPoint point) {
        if (node.getLabel(point) != null)
            return true;
        for (MarkType type : MarkType.values())
            if (node.getMarkedConst(type) != null && node.getMarkedConst(type).contains(point))
                return true;
        return false;
    }
}
